import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Towns and villages of the world. Their names are in the full-text index `gazetteer_text` under the same ids, each
 * name between two `0`, so that whole names can be matched.
 */
export const gazetteerPlace = sqliteTable(
  "gazetteer_place",
  {
    /** The id of the source. */
    id: integer().primaryKey(),
    name: text().notNull(),
    /** Two letters, ISO 3166-1. */
    country: text().notNull(),
    province: text(),
    province_folded: text(),
    population: integer().notNull(),
    lat: real().notNull(),
    lng: real().notNull(),
    /** The number of the square of 0.25 degrees that contains the place. */
    cell: integer().notNull(),
    /** The number of the square of 4 degrees that contains the place. */
    block: integer().notNull(),
  },
  (table) => [
    index("gazetteer_place_cell").on(table.cell),
    // Serves selectNearestTown.
    index("gazetteer_place_block").on(table.block).where(sql`population >= 15000`),
  ],
);

/** The loaded edition of the gazetteer, and the smallest population of its places. */
export const gazetteerEdition = sqliteTable("gazetteer_edition", {
  edition: text().primaryKey(),
  least: integer().notNull(),
});
