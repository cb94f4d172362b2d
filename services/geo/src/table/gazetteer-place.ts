import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Towns and villages of the world, the same for everybody. What they are called stands in `gazetteer_text`, a full-text
 * index under the same ids: every name between two `0`, so that a whole name can be told from a part of one.
 */
export const gazetteerPlace = sqliteTable(
  "gazetteer_place",
  {
    /** As in the source. */
    id: integer().primaryKey(),
    name: text().notNull(),
    /** Two letters, ISO 3166-1. */
    country: text().notNull(),
    province: text(),
    province_folded: text(),
    population: integer().notNull(),
    lat: real().notNull(),
    lng: real().notNull(),
    /** The square of a quarter of a degree in which it lies. */
    cell: integer().notNull(),
    /** That of four degrees. */
    block: integer().notNull(),
  },
  (table) => [
    index("gazetteer_place_cell").on(table.cell),
    index("gazetteer_place_block").on(table.block).where(sql`population >= 15000`),
  ],
);

/** What has been loaded: of this edition the places that have so many people. */
export const gazetteerEdition = sqliteTable("gazetteer_edition", {
  edition: text().primaryKey(),
  least: integer().notNull(),
});
