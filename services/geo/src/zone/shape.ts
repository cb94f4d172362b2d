import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Position } from "../point/schema.ts";
import type { ZoneRow, ZoneType } from "../table/zone/zone.ts";
import type { StoredHole, StoredPoint } from "../table/zone/zone-outline.ts";
import { boxOf, padBox } from "./grid/box.ts";
import { cellOf } from "./grid/cell.ts";
import { fromPoint, type NewZone, type ZonePoint } from "./schema.ts";

/** The columns of a zone's row that follow from its shape, and its points. */
export type Shape = Pick<ZoneRow, "south" | "west" | "north" | "east" | "point_count" | "cell" | "cells"> & {
  points: StoredPoint[] | null;
  holes: StoredHole[] | null;
};

/** Powers of two, in meters, to which radii of sausages are rounded up for the grid. */
export const RADII = Array.from({ length: 20 }, (_, exponent) => 2 ** exponent);

/** The shape of a zone; undefined if an update gives no points, so that the zone keeps them. */
export function shapeOf(input: ShapeInput, isNew: true): Shape;
export function shapeOf(input: ShapeInput, isNew: boolean): Shape | undefined;
export function shapeOf({ type, center, radius, points, holes }: ShapeInput, isNew: boolean): Shape | undefined {
  const rings = (holes ?? []).map(openRing);
  if (rings.length > 0 && type !== "polygon") throw invalid("zone.holes", "belong to a polygon");
  if (type === "circle") {
    if (points) throw new ApiError(230);
    if (!center) throw invalid("zone.center", "lat and lng are required");
    const box = boxOf([center]);
    return {
      ...box,
      point_count: 0,
      cell: cellOf(padBox(box, requireRadius(radius))),
      cells: null,
      points: null,
      holes: null,
    };
  }
  if (type === "sausage") requireRadius(radius);
  if (!points && rings.length > 0) throw invalid("zone.holes", "need the points of the polygon with them");
  if (!points && !isNew) return undefined;
  requirePointCount(type, points?.length ?? 0);
  requireHoles(rings);
  return outlineShape(type, radius, points ?? [], rings);
}
type ShapeInput = Pick<NewZone, "type" | "center" | "radius" | "points"> & { holes?: Position[][] | null };

/** Drops a ring's last point if it repeats the first. */
export function openRing<Point extends Position>(ring: Point[]): Point[] {
  const [first, last] = [ring[0], ring.at(-1)];
  return ring.length > 1 && first?.lat === last?.lat && first?.lng === last?.lng ? ring.slice(0, -1) : ring;
}

/** The shape of a polygon or sausage with a valid number of points. */
export function outlineShape(
  type: ZoneType,
  radius: number | null,
  points: ZonePoint[],
  rings: Position[][] = [],
): Shape {
  const box = boxOf(points);
  const point_count = rings.reduce((sum, ring) => sum + ring.length, points.length);
  const holes = rings.length > 0 ? rings.map((ring) => ring.map(({ lat, lng }): [number, number] => [lng, lat])) : null;
  const columns = { ...box, point_count, points: points.map(fromPoint), holes };
  if (type === "polygon") return { ...columns, cell: cellOf(box), cells: null };
  const cells = RADII.map((meters) => cellOf(padBox(box, meters)));
  return { ...columns, cell: cells[radiusClassOf(radius ?? 0)] ?? 0, cells };
}

function requirePointCount(type: ZoneType, count: number) {
  if (!isPointCountValid(type, count)) throw pointCountError(count);
}

/** Checks holes: all together have at most as many points as an outline. */
function requireHoles(rings: Position[][]) {
  if (rings.some(({ length }) => length < MIN_POINTS)) throw new ApiError(284);
  if (rings.reduce((sum, { length }) => sum + length, 0) > MAX_POINTS.polygon) throw new ApiError(202);
}

/** The error for too few or too many points. */
export function pointCountError(count: number): ApiError {
  return new ApiError(count < MIN_POINTS ? 284 : 202);
}

export function isPointCountValid(type: ZoneType, count: number) {
  return count >= MIN_POINTS && count <= MAX_POINTS[type];
}

/** The index in `RADII`, and in the `cells` of a sausage. */
export function radiusClassOf(radius: number) {
  return RADII.filter((meters) => meters < radius).length;
}

function requireRadius(radius: number | null): number {
  if (radius === null) throw invalid("zone.radius", "is required");
  return radius;
}

const MIN_POINTS = 3;
const MAX_POINTS = { circle: 0, polygon: 100, sausage: 1024 };
