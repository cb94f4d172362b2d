import * as z from "zod";
import { boundedByCode, color, text } from "#shared/operation/fields.ts";
import { toPartial } from "#shared/operation/partial.ts";
import { Bounds, Position } from "../point/schema.ts";
import { ZONE_TYPES, type ZoneRow } from "../table/zone/zone.ts";
import type { StoredHole, StoredPoint } from "../table/zone/zone-outline.ts";
import { padBox } from "./grid/box.ts";

export const ZonePoint = Position.extend({
  /** True for a node of a route. */
  node: z.boolean().default(false),
});
export type ZonePoint = z.output<typeof ZonePoint>;
/** Points of a sausage; a polygon has at most 100. More are error 202. */
export const ZonePoints = boundedByCode(z.array(ZonePoint), 1024);

/** Rings, open or closed. All together have at most 100 points; more are error 202. */
export const Holes = boundedByCode(z.array(boundedByCode(z.array(Position), 101)), 33);

// Not strict: callers send back what `read` gave them, bounds included. What a type needs is checked by `shapeOf`.
export const NewZone = z.object({
  type: z.enum(ZONE_TYPES),
  label: text(255).min(1),
  address: text(255).default(""),
  color: color().default("27A9E3"),
  tags: z.array(z.int()).max(200).default([]),
  /** Meters: radius of a circle, or width on each side of a sausage's line. */
  radius: z.int().min(1).max(300_000).nullable().default(null),
  center: Position.nullable().default(null),
  points: ZonePoints.nullable().default(null),
  /** Holes of a polygon. They are given together with the points: new points without holes remove the old holes. */
  holes: Holes.nullable().default(null),
});
export type NewZone = z.output<typeof NewZone>;

/** Changes of a zone: members that are left out keep their values. */
export const ChangedZone = toPartial(NewZone).extend({
  id: z.int(),
  center: toPartial(Position).nullable().optional(),
});
export type ChangedZone = z.output<typeof ChangedZone>;

export const Zone = z.object({
  id: z.int(),
  type: z.enum(ZONE_TYPES),
  label: z.string(),
  address: z.string(),
  color: z.string(),
  tags: z.array(z.int()),
  bounds: Bounds,
  radius: z.int().optional(),
  center: Position.optional(),
  points: z.array(ZonePoint).optional(),
  /** Holes of a polygon, if it has some and its points are included. */
  holes: z.array(z.array(Position)).optional(),
});
export type Zone = z.output<typeof Zone>;

/** A zone with tags, and with points if they were requested. */
export type ZoneWithTags = Omit<
  ZoneRow,
  "account_id" | "revision" | "label_folded" | "point_count" | "cell" | "cells"
> & {
  tags: number[];
  points: StoredPoint[] | null;
  holes?: StoredHole[] | null;
};

export function toZone({ south, west, north, east, radius, points, holes, ...row }: ZoneWithTags): Zone {
  const box = padBox({ south, west, north, east }, radius ?? 0);
  return {
    id: row.id,
    type: row.type,
    label: row.label,
    address: row.address,
    color: row.color,
    tags: row.tags,
    bounds: { nw: { lat: box.north, lng: box.west }, se: { lat: box.south, lng: box.east } },
    ...(row.type !== "polygon" && { radius: radius ?? 0 }),
    ...(row.type === "circle" && { center: { lat: south, lng: west } }),
    ...(points && { points: points.map(toPoint) }),
    ...(holes && { holes: holes.map((hole) => hole.map(([lng, lat]) => ({ lat, lng }))) }),
  };
}

export function toPoint([lng, lat, node]: StoredPoint): ZonePoint {
  return { lat, lng, node: node === 1 };
}

export function fromPoint({ lat, lng, node }: ZonePoint): StoredPoint {
  return [lng, lat, node ? 1 : 0];
}
