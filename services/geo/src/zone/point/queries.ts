import { eq, ne, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../audit-outbox.ts";
import { ZONE_TYPES, zone } from "../../table/zone/zone.ts";
import { zoneOutline } from "../../table/zone/zone-outline.ts";
import { visibleZones } from "../list-queries.ts";
import { fromPoint, toPoint, type ZonePoint } from "../schema.ts";
import { isPointCountValid, outlineShape, pointCountError, RADII } from "../shape.ts";

export async function requirePoints(db: Database, principal: Principal, zone_id: number): Promise<ZonePoint[]> {
  const [row] = await db
    .select({ type: zone.type, points: zoneOutline.points })
    .from(zone)
    .leftJoin(zoneOutline, eq(zoneOutline.zone_id, zone.id))
    .where(visibleZones(principal, eq(zone.id, zone_id)));
  if (!row) throw new ApiError(201);
  if (row.type === "circle") throw new ApiError(230);
  return (row.points ?? []).map(toPoint);
}

/** Replaces the points. Only the database knows the zone's type, so the columns of both types are sent. */
export async function replacePoints(
  db: Database,
  principal: Principal,
  zone_id: number,
  points: ZonePoint[],
  actor: Actor,
) {
  const own = visibleZones(principal, eq(zone.id, zone_id));
  const demands = demandPoints(own, points.length);
  // No type may have so many points, so the last demand fails.
  if (!isPointCountValid("sausage", points.length)) return void (await read(db, demands));
  await write(db, {
    ...demands,
    updated: db.update(zone).set(shapeColumns(points)).where(own),
    recorded: recordChange(db, actor, {
      is: ["zone_points", "update"],
      entry_id: zone_id,
      payload: { points: points.length },
    }),
    outline: db
      .update(zoneOutline)
      .set({ points: points.map(fromPoint), holes: null })
      .where(visibleTo(principal, zoneOutline, eq(zoneOutline.zone_id, zone_id))),
  });
}

/** Demands that the zone exists, is no circle, and may have so many points. */
function demandPoints(own: SQL | undefined, count: number) {
  const types = ZONE_TYPES.filter((type) => isPointCountValid(type, count));
  const demandZone = (condition: SQL, error: () => ApiError) =>
    demand(sql`EXISTS (SELECT 1 FROM ${zone} WHERE ${own} AND ${condition})`, error);
  return {
    isThere: demandZone(sql`TRUE`, () => new ApiError(201)),
    hasPoints: demandZone(ne(zone.type, "circle"), () => new ApiError(230)),
    mayHave: demandZone(among(zone.type, types), () => pointCountError(count)),
  };
}

function shapeColumns(points: ZonePoint[]) {
  const polygon = outlineShape("polygon", null, points);
  const sausage = outlineShape("sausage", 0, points);
  const radiusClass = sql`(SELECT count(*) FROM json_each(${JSON.stringify(RADII)}) WHERE value < ${zone.radius})`;
  const isPolygon = sql`${zone.type} = 'polygon'`;
  const cells = JSON.stringify(sausage.cells);
  const { south, west, north, east, point_count } = polygon;
  return {
    ...{ south, west, north, east, point_count },
    cell: sql`iif(${isPolygon}, ${polygon.cell}, ${cells} ->> ${radiusClass})`,
    cells: sql`iif(${isPolygon}, NULL, ${cells})`,
  };
}
