import { eq, getTableColumns, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { demand, read } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { zone } from "../table/zone.ts";
import { zoneOutline } from "../table/zone-outline.ts";
import { visibleZones } from "../zone/list-queries.ts";

/** The zones with their points: 204 unless the caller sees all of them. */
export async function requireFigures(db: Database, principal: Principal, zone_ids: number[]) {
  const ids = [...new Set(zone_ids)];
  if (ids.length === 0) return [];
  const own = visibleZones(principal, among(zone.id, ids));
  const { id, label, type, radius, south, west, north, east } = getTableColumns(zone);
  const boxes = { id, label, type, radius, south, west, north, east };
  // An answer of the database holds no more.
  const isLight = sql`(SELECT coalesce(sum(${zone.point_count}), 0) FROM ${zone} WHERE ${own}) <= ${MOST_POINTS}`;
  const { rows } = await read(db, {
    isLight: demand(isLight, () => invalid("zone_ids", "have too many points together")),
    rows: db
      .select({ ...boxes, points: zoneOutline.points })
      .from(zone)
      .leftJoin(zoneOutline, eq(zoneOutline.zone_id, zone.id))
      .where(own)
      .orderBy(zone.id)
      .limit(MOST_ZONES),
  });
  if (rows.length < ids.length) throw new ApiError(204);
  return rows;
}
export type FigureRow = Awaited<ReturnType<typeof requireFigures>>[number];

export const MOST_ZONES = 1000;
const MOST_POINTS = 60_000;
