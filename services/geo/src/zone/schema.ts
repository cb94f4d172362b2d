import { z } from "zod";
import { boundedByCode, color, text } from "#shared/operation/fields.ts";
import { toPartial } from "#shared/operation/partial.ts";
import { Bounds, Position } from "../point/schema.ts";
import { ZONE_TYPES, type ZoneRow } from "../table/zone/zone.ts";
import type { StoredHole, StoredPoint } from "../table/zone/zone-outline.ts";
import { padBox } from "./grid/box.ts";

export const ZonePoint = Position.extend({
  /** A node of a route. */
  node: z.boolean().default(false),
});
export type ZonePoint = z.output<typeof ZonePoint>;
/** Of a sausage; a polygon has a hundred at the most. More are 202. */
export const ZonePoints = boundedByCode(z.array(ZonePoint), 1024);

/** Rings, open or closed; of all together a polygon has a hundred points at the most. More are 202. */
export const Holes = boundedByCode(z.array(boundedByCode(z.array(Position), 101)), 33);

// Not strict: callers send back what `read` gave them, bounds included. What a type needs is checked by `shapeOf`.
export const NewZone = z.object({
  type: z.enum(ZONE_TYPES),
  label: text(255).min(1),
  address: text(255).default(""),
  color: color().default("27A9E3"),
  tags: z.array(z.int()).max(200).default([]),
  /** Meters, of a circle or around a sausage's line. */
  radius: z.int().min(1).max(300_000).nullable().default(null),
  center: Position.nullable().default(null),
  points: ZonePoints.nullable().default(null),
  /** What a polygon leaves out. Given with its points: new points without holes have none. */
  holes: Holes.nullable().default(null),
});
export type NewZone = z.output<typeof NewZone>;

/** What is left out stays. */
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
  /** Of a polygon that has any, where the points are shown. */
  holes: z.array(z.array(Position)).optional(),
});
export type Zone = z.output<typeof Zone>;

/** The points where they were asked for. */
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
    ...(holes && { holes: holes.map((hole) => hole.map(([lat, lng]) => ({ lat, lng }))) }),
  };
}

export function toPoint([lat, lng, node]: StoredPoint): ZonePoint {
  return { lat, lng, node: node === 1 };
}

export function fromPoint({ lat, lng, node }: ZonePoint): StoredPoint {
  return [lat, lng, node ? 1 : 0];
}
