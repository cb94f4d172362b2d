import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Accounts whose time zone has changed, by which the days of their schedules begin. */
export const accountZone = sqliteTable(
  "account_zone",
  {
    account_id: integer().primaryKey(),
    time_zone: text().notNull(),
    /** A word with a lower one is an older word. */
    revision: integer().notNull(),
    /** Until all schedules of the account go by it. */
    pending: integer({ mode: "boolean" }).notNull(),
  },
  // A partial index takes no name of a table.
  (table) => [index("account_zone_pending").on(table.account_id).where(sql`pending`)],
);
