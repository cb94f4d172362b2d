import { booleanPointInPolygon } from "@turf/boolean-point-in-polygon";
import { metersBetweenDegrees } from "#shared/geometry/distance.ts";
import type { Bounds } from "../point/bounds.ts";
import type { Position } from "../point/schema.ts";
import type { ZoneRow } from "../table/zone/zone.ts";
import type { StoredHole, StoredPoint } from "../table/zone/zone-outline.ts";
import { unwrapPosition, widthOf } from "./grid/box.ts";

export type ZoneShape = Pick<ZoneRow, "type" | "radius" | "south" | "west" | "north" | "east"> & {
  points: StoredPoint[] | null;
  holes?: StoredHole[] | null;
};
type LngLat = [lng: number, lat: number];
/** A polygon's corners in order; the first is not repeated at the end. */
type Ring = StoredPoint[] | StoredHole;
type Polygon = { type: "Polygon"; coordinates: LngLat[][] };

/**
 * Whether the position is in the zone. The edge is inside, a hole's edge too. Edges are straight in degrees, as on a
 * map.
 */
export function contains(shape: ZoneShape, position: Position): boolean {
  const { type, south, west, radius } = shape;
  if (type === "circle") return metersBetweenDegrees(west, south, position.lng, position.lat) <= (radius ?? 0);
  // Longitudes 180 and -180 are the same meridian.
  if (Math.abs(position.lng) === 180)
    return [180, -180].some((lng) => containsUnwrapped(shape, unwrapPosition(shape, { ...position, lng })));
  return containsUnwrapped(shape, unwrapPosition(shape, position));
}

function containsUnwrapped(shape: ZoneShape, unwrapped: LngLat) {
  if (shape.type === "polygon") return isInPolygon(shape, unwrapped);
  return isNearLine(shape, unwrapped);
}

function isInPolygon(shape: ZoneShape, unwrapped: LngLat) {
  const { south, north, west } = shape;
  const [lng, lat] = unwrapped;
  // Most positions are outside of the box: this check is cheap.
  if (lat < south || lat > north || lng < west || lng > west + widthOf(shape)) return false;
  // Rings are tested one by one: Turf answers wrongly for a hole that reaches out of the outline.
  return (
    booleanPointInPolygon(unwrapped, toPolygon(shape, shape.points ?? [])) &&
    (shape.holes ?? []).every((hole) => !booleanPointInPolygon(unwrapped, toPolygon(shape, hole), WITHOUT_EDGE))
  );
}

/**
 * Converts a ring once and caches it: a test of 100 corners takes 6 µs then, and 200 µs without. Longitudes continue over
 * the date line.
 */
function toPolygon(box: Bounds, ring: Ring): Polygon {
  const cached = polygons.get(ring);
  if (cached) return cached;
  const line = [...ring, ...ring.slice(0, 1)].map(([lng, lat]) => unwrapPosition(box, { lat, lng }));
  const polygon = { type: "Polygon" as const, coordinates: [line] };
  polygons.set(ring, polygon);
  return polygon;
}

const polygons = new WeakMap<Ring, Polygon>();
const WITHOUT_EDGE = { ignoreBoundary: true };

/** Whether a sausage contains the position. Allocates nothing per edge, as rules test every point of a track. */
function isNearLine({ points, radius, west, east }: ZoneShape, [lng, lat]: LngLat) {
  const crossesDateLine = west > east;
  const maxMeters = radius ?? 0;
  let fromLat: number | undefined;
  let fromLng = 0;
  for (const [given, toLat] of points ?? []) {
    const toLng = crossesDateLine && given < 0 ? given + 360 : given;
    if (fromLat !== undefined && isNearSegment(lng, lat, fromLng, fromLat, toLng, toLat, maxMeters)) return true;
    fromLat = toLat;
    fromLng = toLng;
  }
  return false;
}

/** Whether the line segment comes within `maxMeters` of the position. */
function isNearSegment(
  lng: number,
  lat: number,
  fromLng: number,
  fromLat: number,
  toLng: number,
  toLat: number,
  maxMeters: number,
): boolean {
  // The segment may be nearer on the other side of the earth.
  const offset = 360 * Math.round(((fromLng + toLng) / 2 - lng) / 360);
  // In the plane around the position, degrees eastwards are scaled to count like degrees northwards.
  const scale = Math.cos((lat * Math.PI) / 180);
  const x = (toLng - fromLng) * scale;
  const y = toLat - fromLat;
  const square = x * x + y * y;
  const along = (lng + offset - fromLng) * scale * x + (lat - fromLat) * y;
  const nearest = square === 0 ? 0 : clampShare(along / square);
  const meters = metersBetweenDegrees(lng, lat, fromLng + nearest * (toLng - fromLng), fromLat + nearest * y);
  if (meters <= maxMeters || maxMeters < MIN_CURVED_METERS || meters > maxMeters * MAX_PLANE_ERROR_RATIO)
    return meters <= maxMeters;
  // At such distances the earth is curved: the nearest point of the plane is only near the true one, so it is searched.
  const metersAt = (share: number) =>
    metersBetweenDegrees(lng, lat, fromLng + share * (toLng - fromLng), fromLat + share * y);
  return minimumAround(nearest, metersAt) <= maxMeters;
}

/** The minimum of a function that falls and then rises, near `share`. */
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

/** Up to this distance the plane is wrong by less than a meter. */
const MIN_CURVED_METERS = 20_000;
/** The plane overestimates distances by at most this factor. */
const MAX_PLANE_ERROR_RATIO = 1.25;
const SEARCH_SHARE = 0.5;
/** Each round leaves two thirds of the interval: less than a ten thousandth of the segment in the end. */
const SEARCH_ROUNDS = 24;
