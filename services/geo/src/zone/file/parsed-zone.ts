import { ApiError, isApiError } from "#shared/error/api-error.ts";
import { tooLargeFileError } from "#shared/error/too-large-file.ts";
import type { Position } from "#shared/geometry/position.ts";
import { NewZone, type ZonePoint } from "../schema.ts";
import { openRing, type Shape, shapeOf } from "../shape.ts";

/** A zone that was read from a file, with its shape. */
export type ParsedZone = { input: NewZone; shape: Shape };
/** A feature of a file that cannot become a zone; `index` counts from 0. */
export type Skipped = { index: number; name: string; reason: string };
/** Zones and skipped features of a file. */
export type ParsedZones = { zones: ParsedZone[]; skipped: Skipped[] };

export type Geometry = { type: NewZone["type"]; positions: Position[]; holes?: Position[][] };
/** Why a geometry cannot become a zone, and the error code of a file without any zone. */
export type GeometryError = { code: 202 | 234; reason: string };
/** Members of a zone besides its shape. */
type ZoneMembers = { label: string; radius: number; address?: string; color?: string };

/** Answers the zones, or throws if all geometries are invalid: their common code, or 234. */
export function requireAnyZone(zones: ParsedZone[], skipped: Skipped[], errors: GeometryError[]): ParsedZones {
  const [first, ...others] = errors;
  if (zones.length > 0 || !first) return { zones, skipped };
  throw new ApiError(others.every(({ code }) => code === first.code) ? first.code : 234);
}

/** Throws 9 for a file of more zones than one transaction stores. */
export function requireZoneLimit(zones: number) {
  if (zones > MAX_ZONES) throw tooLargeFileError(`${MAX_ZONES} zones`);
}

/** Throws 9 for a file of more placemarks or features than are held in memory. */
export function requireFeatureLimit(features: number) {
  if (features > MAX_FEATURES) throw tooLargeFileError(`${MAX_FEATURES} placemarks or features`);
}

/** Throws 9 for a file of more points than are held in memory. */
export function requirePointLimit(points: number) {
  if (points > MAX_POINTS) throw tooLargeFileError(`${MAX_POINTS} points`);
}

export function toParsedZone(geometry: Geometry, members: ZoneMembers): ParsedZone | GeometryError {
  const input = toInput(geometry, members);
  if (!input) return { code: 234, reason: "has no coordinates" };
  try {
    return { input, shape: shapeOf(input, true) };
  } catch (thrown) {
    if (!isApiError(thrown)) throw thrown;
    // The code tells which check of the shape failed.
    return thrown.code === 202
      ? { code: 202, reason: "has too many points" }
      : { code: 234, reason: "has too few points" };
  }
}

function toInput({ type, positions, holes }: Geometry, { radius, ...members }: ZoneMembers): NewZone | undefined {
  const [first] = positions;
  if (!first) return undefined;
  if (type === "circle") return NewZone.parse({ ...members, type, center: first, radius });
  if (type === "polygon") {
    return NewZone.parse({
      ...members,
      type,
      points: openRing(positions).map((position) => toZonePoint(position)),
      holes,
    });
  }
  const last = positions.length - 1;
  const points = positions.map((position, index) => toZonePoint(position, index === 0 || index === last));
  return NewZone.parse({ ...members, type, radius, points });
}

function toZonePoint({ lat, lng }: Position, node = false): ZonePoint {
  return { lat, lng, node };
}

export function parseRadius(text: string | number) {
  const radius = Math.round(Number(text));
  return radius >= 1 && radius <= 300_000 ? radius : undefined;
}

/** Joins the names of nested folders; the end is kept, as it identifies the feature best. */
export function joinLabels(outer: string, inner: string) {
  if (outer === "" || inner === "") return outer + inner;
  return toLabel(`${outer} / ${inner}`);
}

/** The end of a text, as long as a label may be. Surrogate pairs are not cut. */
export function toLabel(text: string) {
  if (text.length <= MAX_LABEL_CHARACTERS) return text;
  return [...text.slice(-2 * MAX_LABEL_CHARACTERS)].slice(-MAX_LABEL_CHARACTERS).join("");
}

const MAX_LABEL_CHARACTERS = 255;
// Limits of memory of an isolate, and of the size of a statement.
const MAX_ZONES = 5000;
const MAX_FEATURES = 10_000;
const MAX_POINTS = 200_000;
