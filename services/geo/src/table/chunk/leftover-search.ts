import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Progress of the search for archive objects without a chunk. */
export const leftoverSearch = sqliteTable("leftover_search", {
  /** The table has at most one row. */
  id: integer().primaryKey(),
  /** The last key that was checked; empty: the next search starts from the beginning. */
  last_key: text().notNull(),
});
