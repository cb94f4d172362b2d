import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A choice of work statuses that trackers are given. */
export const statusListing = sqliteTable(
  "status_listing",
  {
    // Trackers keep ids: a deleted list's is never given out again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    label: text().notNull(),
    employee_controlled: integer({ mode: "boolean" }).notNull(),
    supervisor_controlled: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [index("status_listing_account").on(table.account_id)],
);
