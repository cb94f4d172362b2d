import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** An object of the archive that no chunk was found in. */
export const archiveLeftover = sqliteTable("archive_leftover", {
  /** `<account>/<tracker>/<object>` */
  key: text().primaryKey(),
  found: integer().notNull(),
});
