import { eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountPosition } from "#shared/contract/point/area.ts";
import type { Database } from "#shared/database/open.ts";
import { read } from "#shared/database/steps.ts";
import { place } from "../../table/place/place.ts";
import { zone } from "../../table/zone/zone.ts";
import { zoneOutline } from "../../table/zone/zone-outline.ts";
import { cellsAround } from "../../zone/grid/cell.ts";
import { ZONE_WITH_POINTS_BYTES } from "../../zone/list-queries.ts";
import { selectWeighedIds } from "../../zone/weighed-queries.ts";

/**
 * Places and zones that may contain one of the positions, each of the position's account, smallest first, up to the
 * size of one answer.
 */
export async function selectAreasNear(db: Database, positions: AccountPosition[]) {
  const extent = sql`${zone.north} - ${zone.south} + 2 * coalesce(${zone.radius}, 0) / ${MIN_METERS_PER_DEGREE}`;
  const weighed = selectWeighedIds(db, zone, ZONE_WITH_POINTS_BYTES, {
    ...{ condition: isNear(zone, positions), by: extent, limit: MAX_ZONES, offset: 0 },
  });
  const { account_id, id, label, type, radius, south, west, north, east } = zone;
  const { points, holes } = zoneOutline;
  return read(db, {
    places: db
      .select({ account_id: place.account_id, id: place.id, label: place.label, ...CIRCLE_COLUMNS })
      .from(place)
      .where(isNear(place, positions))
      .orderBy(place.radius, place.id)
      .limit(MAX_PLACES),
    zones: db
      .select({ account_id, id, label, type, radius, south, west, north, east, points, holes })
      .from(weighed.table)
      .innerJoin(zone, eq(zone.id, weighed.id))
      .leftJoin(zoneOutline, eq(zoneOutline.zone_id, zone.id))
      .where(weighed.fits)
      .orderBy(weighed.ordinal),
  });
}

type CelledTable = Record<"id" | "account_id" | "cell", SQLiteColumn>;

/**
 * Condition: the area is in a cell around one of the positions. The join starts with the cells, for the index of cells.
 */
function isNear(table: CelledTable, positions: AccountPosition[]): SQL {
  const cells = positions.flatMap(({ account_id, lat, lng }) =>
    cellsAround(lat, lng).map((cell) => [account_id, cell]),
  );
  return sql`${table.id} IN (SELECT near.id FROM json_each(${JSON.stringify(cells)}) AS cell CROSS JOIN ${table.id.table} AS near
    ON near.account_id = cell.value ->> 0 AND near.cell = cell.value ->> 1)`;
}

const CIRCLE_COLUMNS = {
  type: sql<"circle">`'circle'`,
  radius: place.radius,
  south: place.lat,
  north: place.lat,
  west: place.lng,
  east: place.lng,
  points: sql<null>`NULL`,
};
const MAX_PLACES = 5000;
const MAX_ZONES = 1000;
const MIN_METERS_PER_DEGREE = 110_000;
