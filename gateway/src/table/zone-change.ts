import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Outbox of changed time zones of accounts, to be delivered to tasks and geo. The newest row of an account counts. */
export const zoneChange = sqliteTable("zone_change", {
  // Also the revision of the change: it keeps rising after delivered rows are deleted.
  id: integer().primaryKey({ autoIncrement: true }),
  account_id: integer().notNull(),
});
