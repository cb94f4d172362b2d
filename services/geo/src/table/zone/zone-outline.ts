import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Points of polygons and sausages, in a table of their own, so that lists need not read them. */
export const zoneOutline = sqliteTable(
  "zone_outline",
  {
    zone_id: integer().primaryKey(),
    account_id: integer().notNull(),
    points: text({ mode: "json" }).$type<StoredPoint[]>().notNull(),
    /** Holes of a polygon; null: none. */
    holes: text({ mode: "json" }).$type<StoredHole[]>(),
  },
  (table) => [index("zone_outline_account").on(table.account_id)],
);

/** A ring; its first point is not repeated at the end. */
export type StoredHole = [lng: number, lat: number][];
/** `node` is 1 for a node of a route. */
export type StoredPoint = [lng: number, lat: number, node: 0 | 1];
