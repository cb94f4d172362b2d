import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** An object in the archive that no chunk refers to. */
export const archiveLeftover = sqliteTable("archive_leftover", {
  /** The object's key: `<account>/<tracker>/<object>`. */
  key: text().primaryKey(),
  found: integer().notNull(),
});
