import { eq, getTableColumns, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { demand, read } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { visiblePlaces } from "../../place/list-queries.ts";
import { place } from "../../table/place/place.ts";
import { zone } from "../../table/zone/zone.ts";
import { zoneOutline } from "../../table/zone/zone-outline.ts";
import { visibleZones } from "../../zone/list-queries.ts";
import { tagsOf } from "../../zone/tag-queries.ts";

/** The zones with their points; throws 204 unless the caller sees all of them. */
export async function requireZoneShapes(db: Database, principal: Principal, zone_ids: number[]) {
  const ids = [...new Set(zone_ids)];
  if (ids.length === 0) return [];
  const own = visibleZones(principal, among(zone.id, ids));
  const { id, label, type, radius, south, west, north, east } = getTableColumns(zone);
  const boxes = { id, label, type, radius, south, west, north, east };
  // The limit of one answer of the database.
  const hasFewPoints = sql`(SELECT coalesce(sum(${zone.point_count}), 0) FROM ${zone} WHERE ${own}) <= ${MAX_POINTS}`;
  const { rows } = await read(db, {
    hasFewPoints: demand(hasFewPoints, () => invalid("zone_ids", "have too many points together")),
    rows: db
      .select({ ...boxes, points: zoneOutline.points, holes: zoneOutline.holes })
      .from(zone)
      .leftJoin(zoneOutline, eq(zoneOutline.zone_id, zone.id))
      .where(own)
      .orderBy(zone.id)
      .limit(MAX_ZONES),
  });
  if (rows.length < ids.length) throw new ApiError(204);
  return rows;
}
export type ZoneShapeRow = Awaited<ReturnType<typeof requireZoneShapes>>[number];

/** The zones or places that the principal sees, with points and tags; the caller limits their number. */
export async function selectVisitedAreas(db: Database, principal: Principal, thing: "zone" | "place", ids: number[]) {
  if (thing === "zone") {
    const { id, label, type, radius, south, west, north, east } = getTableColumns(zone);
    return db
      .select({
        id,
        label,
        type,
        radius,
        south,
        west,
        north,
        east,
        points: zoneOutline.points,
        holes: zoneOutline.holes,
        tags: tagsOf("zone", id),
      })
      .from(zone)
      .leftJoin(zoneOutline, eq(zoneOutline.zone_id, zone.id))
      .where(visibleZones(principal, among(zone.id, ids)))
      .orderBy(zone.id)
      .limit(ids.length);
  }
  const { id, label, radius, lat, lng } = getTableColumns(place);
  const places = await db
    .select({ id, label, radius, lat, lng, tags: tagsOf("place", id) })
    .from(place)
    .where(visiblePlaces(principal, among(place.id, ids)))
    .orderBy(place.id)
    .limit(ids.length);
  return places.map(({ lat, lng, ...circle }) => ({
    ...circle,
    ...{ type: "circle" as const, points: null, holes: null, south: lat, north: lat, west: lng, east: lng },
  }));
}

export const MAX_ZONES = 1000;
const MAX_POINTS = 60_000;
