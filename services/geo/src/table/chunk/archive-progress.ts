import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Progress of the sweep that moves old points to the archive: the last tracker that it checked in each account. */
export const archiveProgress = sqliteTable("archive_progress", {
  /** In the row of account 0, `last_id` is the last account. */
  account_id: integer().primaryKey(),
  last_id: integer().notNull(),
});
