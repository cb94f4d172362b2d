import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Progress of the sweep that deletes old points: the last tracker that it checked in each account. */
export const retentionProgress = sqliteTable("retention_progress", {
  /** In the row of account 0, `last_id` is the last account. */
  account_id: integer().primaryKey(),
  last_id: integer().notNull(),
});
