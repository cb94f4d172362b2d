import { and, eq, exists, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recording } from "../../outbox/audit.ts";
import { type ZoneType, zone } from "../../table/zone.ts";
import { zoneOutline } from "../../table/zone-outline.ts";
import { visibleZones } from "../list.ts";
import { toPoint, type ZonePoint } from "../schema.ts";
import { mayHave, outlined, RADII, requireFitting } from "../shape.ts";

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

/** Which figure the points are for, only the database knows: both are made, and as many points as each may have. */
export async function replacePoints(
  db: Database,
  principal: Principal,
  zone_id: number,
  points: ZonePoint[],
  actor: Actor,
) {
  const wanted = visibleZones(principal, eq(zone.id, zone_id));
  if (!mayHave("sausage", points.length)) return refuse(await selectType(db, wanted), points.length);
  const types = (["polygon", "sausage"] as const).filter((type) => mayHave(type, points.length));
  const mayChange = and(wanted, sql`${zone.type} IN (SELECT value FROM json_each(${JSON.stringify(types)}))`);
  const polygon = outlined("polygon", null, points);
  const sausage = outlined("sausage", 0, points);
  const radiusClass = sql`(SELECT count(*) FROM json_each(${JSON.stringify(RADII)}) WHERE value < ${zone.radius})`;
  const isPolygon = sql`${zone.type} = 'polygon'`;
  const cells = JSON.stringify(sausage.cells);
  const { south, west, north, east, point_count } = polygon;
  const [, , , known] = await db.batch([
    db
      .update(zone)
      .set({
        ...{ south, west, north, east, point_count },
        cell: sql`iif(${isPolygon}, ${polygon.cell}, ${cells} ->> ${radiusClass})`,
        cells: sql`iif(${isPolygon}, NULL, ${cells})`,
      })
      .where(mayChange),
    recording(db, actor, { is: ["zone_points", "update"], entry_id: zone_id, payload: { points: points.length } }),
    db
      .update(zoneOutline)
      .set({ points: polygon.points ?? [] })
      .where(and(eq(zoneOutline.zone_id, zone_id), exists(db.select({ id: zone.id }).from(zone).where(mayChange)))),
    selectType(db, wanted),
  ]);
  refuse(known, points.length);
}

function selectType(db: Database, wanted: SQL | undefined) {
  return db.select({ type: zone.type }).from(zone).where(wanted);
}

/** If the zone cannot have so many points. */
function refuse([known]: { type: ZoneType }[], count: number) {
  if (!known) throw new ApiError(201);
  if (known.type === "circle") throw new ApiError(230);
  requireFitting(known.type, count);
}
