import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";

export const ZONE_TYPES = ["circle", "polygon", "sausage"] as const;
export type ZoneType = (typeof ZONE_TYPES)[number];

export const zone = sqliteTable(
  "zone",
  {
    // Rules, tasks and events keep ids: a deleted zone's is never given out again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    revision: revisionColumn(),
    type: text({ enum: ZONE_TYPES }).notNull(),
    label: text().notNull(),
    /** The label in lower case without diacritics, for search. */
    label_folded: text().notNull(),
    address: text().notNull(),
    color: text().notNull(),
    /** Meters; null for a polygon. */
    radius: integer(),
    // The box of the points, or the circle's center; the radius extends it. West may be greater than east.
    south: real().notNull(),
    west: real().notNull(),
    north: real().notNull(),
    east: real().notNull(),
    point_count: integer().notNull(),
    /** The grid cell, for queries by position: see `grid/cell.ts`. */
    cell: integer().notNull(),
    /**
     * The grid cells of a sausage for each radius in `RADII`, because its radius may change without its points; null
     * for other types.
     */
    cells: text({ mode: "json" }).$type<number[]>(),
  },
  (table) => [
    index("zone_account").on(table.account_id),
    // Serves selectZonesAt.
    index("zone_account_cell").on(table.account_id, table.cell),
  ],
);
export type ZoneRow = typeof zone.$inferSelect;
