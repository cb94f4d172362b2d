import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** How far the sweep that moves old points to the archive has come in each account: the last tracker that it looked at. */
export const archiveProgress = sqliteTable("archive_turn", {
  /** Of account 0 it is the last account instead. */
  account_id: integer().primaryKey(),
  last_id: integer().notNull(),
});
