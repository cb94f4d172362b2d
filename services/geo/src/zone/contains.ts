import { booleanPointInPolygon } from "@turf/boolean-point-in-polygon";
import { metersBetweenDegrees } from "#shared/geometry/distance.ts";
import type { Position } from "../point/schema.ts";
import type { ZoneRow } from "../table/zone/zone.ts";
import type { StoredHole, StoredPoint } from "../table/zone/zone-outline.ts";
import { EdgeBands } from "./edge-bands.ts";
import { unwrapPosition, widthOf } from "./grid/box.ts";
import { countZoneSteps } from "./zone-steps.ts";

export type ZoneShape = Pick<ZoneRow, "type" | "radius" | "south" | "west" | "north" | "east"> & {
  points: StoredPoint[] | null;
  holes?: StoredHole[] | null;
};
type LngLat = [lng: number, lat: number];
/** A polygon's corners in order; the first is not repeated at the end. */
type Ring = StoredPoint[] | StoredHole;

/**
 * Whether the position is in the zone. The edge is inside, a hole's edge too. Edges are straight in degrees, as on a
 * map.
 */
export function contains(shape: ZoneShape, position: Position): boolean {
  const { type, south, west, radius } = shape;
  countZoneSteps(STEPS_PER_SHAPE);
  if (type === "circle") return metersBetweenDegrees(west, south, position.lng, position.lat) <= (radius ?? 0);
  // Longitudes 180 and -180 are the same meridian.
  if (Math.abs(position.lng) === 180)
    return [180, -180].some((lng) => containsUnwrapped(shape, unwrapPosition(shape, { ...position, lng })));
  return containsUnwrapped(shape, unwrapPosition(shape, position));
}

/** Whether the position is within `meters` of the outline or a hole of a polygon. */
export function isNearEdge(shape: ZoneShape, { lat, lng }: Position, meters: number): boolean {
  return [shape.points ?? [], ...(shape.holes ?? [])].some((ring) => bandsOf(shape, ring).isNear(lng, lat, meters));
}

function containsUnwrapped(shape: ZoneShape, unwrapped: LngLat) {
  if (shape.type === "polygon") return isInPolygon(shape, unwrapped);
  return bandsOf(shape, shape.points ?? []).isNear(...unwrapped, shape.radius ?? 0);
}

function isInPolygon(shape: ZoneShape, unwrapped: LngLat) {
  const { south, north, west } = shape;
  const [lng, lat] = unwrapped;
  // Most positions are outside of the box: this check is cheap.
  if (lat < south || lat > north || lng < west || lng > west + widthOf(shape)) return false;
  // Rings are tested one by one: Turf answers wrongly for a hole that reaches out of the outline.
  return (
    isInRing(shape, shape.points ?? [], unwrapped, {}) &&
    (shape.holes ?? []).every((hole) => !isInRing(shape, hole, unwrapped, WITHOUT_EDGE))
  );
}

function isInRing(shape: ZoneShape, ring: Ring, unwrapped: LngLat, options: { ignoreBoundary?: boolean }) {
  const bands = bandsOf(shape, ring);
  const isInside = bands.isInside(...unwrapped);
  if (isInside !== undefined) return isInside;
  // At an edge the sign of an area decides, which Turf computes without rounding errors.
  countZoneSteps(STEPS_PER_EXACT_EDGE * ring.length);
  const line = [...bands.corners, ...bands.corners.slice(0, 1)];
  return booleanPointInPolygon(unwrapped, { type: "Polygon", coordinates: [line] }, options);
}

/** The edges of a ring or line in the zone's coordinates: built once, because rules test every point of a track. */
export function bandsOf(shape: ZoneShape, ring: Ring): EdgeBands {
  const known = bandsByRing.get(ring);
  if (known) return known;
  const corners = [...ring].map(([lng, lat]) => unwrapPosition(shape, { lat, lng }));
  const bands = new EdgeBands(corners, shape.type === "polygon");
  bandsByRing.set(ring, bands);
  return bands;
}

const bandsByRing = new WeakMap<Ring, EdgeBands>();
const WITHOUT_EDGE = { ignoreBoundary: true };
/** Testing a shape takes, besides its edges, as long as comparing so many of them. */
export const STEPS_PER_SHAPE = 30;
/** Turf compares an edge as slowly as bands compare so many. */
const STEPS_PER_EXACT_EDGE = 20;
