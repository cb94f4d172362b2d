import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** How far the sweep of old points has come in each account: the last tracker that it looked at. */
export const retentionProgress = sqliteTable("retention_turn", {
  /** Of account 0 it is the last account instead. */
  account_id: integer().primaryKey(),
  last_id: integer().notNull(),
});
