import { booleanPointInPolygon } from "@turf/boolean-point-in-polygon";
import { metersBetween } from "#shared/geometry/distance.ts";
import type { Bounds } from "../point/bounds.ts";
import type { Position as Place } from "../point/schema.ts";
import type { ZoneRow } from "../table/zone/zone.ts";
import type { StoredHole, StoredPoint } from "../table/zone/zone-outline.ts";
import { unwrapPosition, widthOf } from "./grid/box.ts";

export type ZoneShape = Pick<ZoneRow, "type" | "radius" | "south" | "west" | "north" | "east"> & {
  points: StoredPoint[] | null;
  holes?: StoredHole[] | null;
};
type LngLat = [lng: number, lat: number];
/** A polygon's corners in order, open. */
type Ring = StoredPoint[] | StoredHole;
type Polygon = { type: "Polygon"; coordinates: LngLat[][] };

/** A place on the edge is inside, for every type, on that of a hole too. Edges are straight in degrees, as on a map. */
export function contains(figure: ZoneShape, place: Place): boolean {
  const { type, south, west, radius } = figure;
  if (type === "circle") return metersBetween(south, west, place.lat, place.lng) <= (radius ?? 0);
  // The meridian of 180 degrees has two names.
  if (Math.abs(place.lng) === 180)
    return [180, -180].some((lng) => containsUnwrapped(figure, unwrapPosition(figure, { ...place, lng })));
  return containsUnwrapped(figure, unwrapPosition(figure, place));
}

function containsUnwrapped(figure: ZoneShape, here: LngLat) {
  if (figure.type === "polygon") return isInPolygon(figure, here);
  return isNearLine(figure, here);
}

function isInPolygon(figure: ZoneShape, here: LngLat) {
  const { south, north, west } = figure;
  const [lng, lat] = here;
  // Most of those that are asked about are beside it: to see that is cheap.
  if (lat < south || lat > north || lng < west || lng > west + widthOf(figure)) return false;
  // Each ring alone: of one that reaches out of the outline, Turf takes for the polygon what no ring should give it.
  return (
    booleanPointInPolygon(here, toPolygon(figure, figure.points ?? [])) &&
    (figure.holes ?? []).every((hole) => !booleanPointInPolygon(here, toPolygon(figure, hole), WITHOUT_EDGE))
  );
}

/** Made once: rules ask for every point of a track. Longitudes run on over the date line. */
function toPolygon(box: Bounds, ring: Ring): Polygon {
  const made = polygons.get(ring);
  if (made) return made;
  const line = [...ring, ...ring.slice(0, 1)].map(([lat, lng]) => unwrapPosition(box, { lat, lng }));
  const polygon = { type: "Polygon" as const, coordinates: [line] };
  polygons.set(ring, polygon);
  return polygon;
}

const polygons = new WeakMap<Ring, Polygon>();
const WITHOUT_EDGE = { ignoreBoundary: true };

/** Without an allocation for each step: rules ask for every point of a track. */
function isNearLine({ points, radius, west, east }: ZoneShape, [lng, lat]: LngLat) {
  const turns = west > east;
  const most = radius ?? 0;
  let fromLat: number | undefined;
  let fromLng = 0;
  for (const [toLat, given] of points ?? []) {
    const toLng = turns && given < 0 ? given + 360 : given;
    if (fromLat !== undefined && isNearSegment(lng, lat, fromLng, fromLat, toLng, toLat, most)) return true;
    fromLat = toLat;
    fromLng = toLng;
  }
  return false;
}

/** Whether a place of the step is no further away than so many meters. */
function isNearSegment(
  lng: number,
  lat: number,
  fromLng: number,
  fromLat: number,
  toLng: number,
  toLat: number,
  most: number,
): boolean {
  // Around the earth, the line may be nearer on the other side.
  const turn = 360 * Math.round(((fromLng + toLng) / 2 - lng) / 360);
  // In the plane around here so far to the east as to the north counts alike.
  const scale = Math.cos((lat * Math.PI) / 180);
  const x = (toLng - fromLng) * scale;
  const y = toLat - fromLat;
  const square = x * x + y * y;
  const along = (lng + turn - fromLng) * scale * x + (lat - fromLat) * y;
  const nearest = square === 0 ? 0 : clampShare(along / square);
  const meters = metersBetween(lat, lng, fromLat + nearest * y, fromLng + nearest * (toLng - fromLng));
  if (meters <= most || most < MIN_CURVED_METERS || meters > most * MAX_PLANE_ERROR_RATIO) return meters <= most;
  // So far away the earth is bent: what the plane takes for nearest is near it, no more.
  const metersAt = (share: number) => metersBetween(lat, lng, fromLat + share * y, fromLng + share * (toLng - fromLng));
  return minimumAround(nearest, metersAt) <= most;
}

/** The least value near a share of the step, where it falls and then rises. */
function minimumAround(share: number, valueAt: (share: number) => number): number {
  let [low, high] = [clampShare(share - SEARCH_SHARE), clampShare(share + SEARCH_SHARE)];
  for (let round = 0; round < SEARCH_ROUNDS; round++) {
    const third = (high - low) / 3;
    if (valueAt(low + third) < valueAt(high - third)) high -= third;
    else low += third;
  }
  return valueAt((low + high) / 2);
}

function clampShare(share: number) {
  return Math.max(0, Math.min(1, share));
}

/** Below this the plane is wrong by less than a meter. */
const MIN_CURVED_METERS = 20_000;
/** By no more than this share it takes a place for further away than it is. */
const MAX_PLANE_ERROR_RATIO = 1.25;
const SEARCH_SHARE = 0.5;
/** Each leaves two thirds: less than a ten thousandth of the step in the end. */
const SEARCH_ROUNDS = 24;
