import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The points of polygons and sausages: apart, so that lists do not read them unless they are asked for. */
export const zoneOutline = sqliteTable(
  "zone_outline",
  {
    zone_id: integer().primaryKey(),
    account_id: integer().notNull(),
    points: text({ mode: "json" }).$type<StoredPoint[]>().notNull(),
    /** What a polygon leaves out; null: nothing. */
    holes: text({ mode: "json" }).$type<StoredHole[]>(),
  },
  (table) => [index("zone_outline_account").on(table.account_id)],
);

/** A ring, open. */
export type StoredHole = [lat: number, lng: number][];
/** The last is 1 for a node. */
export type StoredPoint = [lat: number, lng: number, node: 0 | 1];
