import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Accounts whose time zone has changed: the days of their schedules begin in it. */
export const accountZone = sqliteTable(
  "account_zone",
  {
    account_id: integer().primaryKey(),
    time_zone: text().notNull(),
    /** A message with a lower revision is outdated and ignored. */
    revision: integer().notNull(),
    /** True until all schedules of the account use this zone. */
    pending: integer({ mode: "boolean" }).notNull(),
  },
  // A partial index cannot qualify columns by their table.
  (table) => [
    // Serves sweepZones.
    index("account_zone_pending").on(table.account_id).where(sql`pending`),
  ],
);
