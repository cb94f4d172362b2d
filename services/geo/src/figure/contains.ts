import { booleanPointInPolygon } from "@turf/boolean-point-in-polygon";
import { metersBetween } from "#shared/geometry/distance.ts";
import { seenFrom, widthOf } from "../grid/box.ts";
import type { Position as Place } from "../point/schema.ts";
import type { ZoneRow } from "../table/zone.ts";
import type { StoredPoint } from "../table/zone-outline.ts";

export type Figure = Pick<ZoneRow, "type" | "radius" | "south" | "west" | "north" | "east"> & {
  points: StoredPoint[] | null;
};
type Position = [lng: number, lat: number];

/** A place on the edge is inside, for every type. Edges are straight in degrees, as on a map. */
export function contains(figure: Figure, place: Place): boolean {
  const { type, south, west, radius } = figure;
  if (type === "circle") return metersBetween(south, west, place.lat, place.lng) <= (radius ?? 0);
  const line = (figure.points ?? []).map(([lat, lng]) => seenFrom(figure, { lat, lng }));
  // The meridian of 180 degrees has two names.
  const names = Math.abs(place.lng) === 180 ? [180, -180] : [place.lng];
  return names.some((lng) => {
    const here = seenFrom(figure, { lat: place.lat, lng });
    return type === "polygon" ? isWithin(figure, line, here) : isNear(line, here, radius ?? 0);
  });
}

function isWithin(figure: Figure, line: Position[], here: Position) {
  const { south, north, west } = figure;
  const [lng, lat] = here;
  // Most of those that are asked about are beside it: to see that is cheap.
  if (lat < south || lat > north || lng < west || lng > west + widthOf(figure)) return false;
  const [first] = line;
  return first !== undefined && booleanPointInPolygon(here, { type: "Polygon", coordinates: [[...line, first]] });
}

/** Without an allocation for each step: rules ask for every point of a track. */
function isNear(line: Position[], here: Position, radius: number) {
  let from: Position | undefined;
  for (const to of line) {
    if (from && metersToStep(here, from, to) <= radius) return true;
    from = to;
  }
  return false;
}

/** The nearest place of the step in the plane around here, and how far it is on the earth. */
function metersToStep([lng, lat]: Position, [fromLng, fromLat]: Position, [toLng, toLat]: Position) {
  // So far to the east as to the north counts alike.
  const scale = Math.cos((lat * Math.PI) / 180);
  // Around the earth, the line may be nearer on the other side.
  const turn = 360 * Math.round(((fromLng + toLng) / 2 - lng) / 360);
  const [x, y] = [(toLng - fromLng) * scale, toLat - fromLat];
  const along = (lng + turn - fromLng) * scale * x + (lat - fromLat) * y;
  const square = x * x + y * y;
  const share = square === 0 ? 0 : Math.max(0, Math.min(1, along / square));
  return metersBetween(lat, lng, fromLat + share * (toLat - fromLat), fromLng + share * (toLng - fromLng));
}
