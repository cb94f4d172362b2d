import { ApiError, isApiError } from "#shared/error/api-error.ts";
import { NewZone, type ZonePoint } from "../schema.ts";
import { opened, type Shape, shapeOf } from "../shape.ts";
import type { Place } from "./coordinates.ts";

/** A zone to be, with its figure. */
export type ReadZone = { input: NewZone; shape: Shape };
/** A thing of a file that cannot become one; counted from 0. */
export type Skipped = { index: number; name: string; reason: string };
/** What a file shows. */
export type ReadZones = { zones: ReadZone[]; skipped: Skipped[] };

export type Geometry = { type: NewZone["type"]; places: Place[]; holes?: Place[][] };
/** Why something cannot be a zone, and the code where nothing of the file can. */
export type Misfit = { code: 202 | 234; reason: string };
/** What a zone has besides its figure. */
type Members = { label: string; radius: number; address?: string; color?: string };

/** What was read, unless all that shows something is wrong. */
export function readZones(zones: ReadZone[], skipped: Skipped[], misfits: Misfit[]): ReadZones {
  const [first, ...others] = misfits;
  if (zones.length > 0 || !first) return { zones, skipped };
  throw new ApiError(others.every(({ code }) => code === first.code) ? first.code : 234);
}

export function zoneOf(geometry: Geometry, members: Members): ReadZone | Misfit {
  const input = inputOf(geometry, members);
  if (!input) return { code: 234, reason: "has no coordinates" };
  try {
    return { input, shape: shapeOf(input, true) };
  } catch (thrown) {
    if (!isApiError(thrown)) throw thrown;
    // What of the figure is wrong, its code says.
    return thrown.code === 202
      ? { code: 202, reason: "has too many points" }
      : { code: 234, reason: "has too few points" };
  }
}

function inputOf({ type, places, holes }: Geometry, { radius, ...members }: Members): NewZone | undefined {
  const [first] = places;
  if (!first) return undefined;
  if (type === "circle") return NewZone.parse({ ...members, type, center: first, radius });
  if (type === "polygon") {
    return NewZone.parse({ ...members, type, points: opened(places).map((place) => point(place)), holes });
  }
  const last = places.length - 1;
  const points = places.map((place, index) => point(place, index === 0 || index === last));
  return NewZone.parse({ ...members, type, radius, points });
}

function point({ lat, lng }: Place, node = false): ZonePoint {
  return { lat, lng, node };
}

export function radiusOf(text: string | number) {
  const radius = Math.round(Number(text));
  return radius >= 1 && radius <= 300_000 ? radius : undefined;
}

/** Of names on the way to a thing the end, which tells more. */
export function joined(outer: string, inner: string) {
  if (outer === "" || inner === "") return outer + inner;
  return labelOf(`${outer} / ${inner}`);
}

/** As much of the end as a label holds; of so many pairs of code units none is cut in two. */
export function labelOf(text: string) {
  if (text.length <= LONGEST_LABEL) return text;
  return [...text.slice(-2 * LONGEST_LABEL)].slice(-LONGEST_LABEL).join("");
}

const LONGEST_LABEL = 255;
// What one isolate and one statement hold.
export const MOST_ZONES = 5000;
export const MOST_FEATURES = 10_000;
export const MOST_POINTS = 200_000;
