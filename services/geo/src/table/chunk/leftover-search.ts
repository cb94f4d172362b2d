import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How far the search for objects without a chunk has come. */
export const leftoverSearch = sqliteTable("archive_round", {
  /** One row at the most. */
  id: integer().primaryKey(),
  /** The last that was looked at; empty: the next search begins anew. */
  last_key: text().notNull(),
});
