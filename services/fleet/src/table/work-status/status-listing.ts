import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Lists of work statuses that trackers are given. */
export const statusListing = sqliteTable(
  "status_listing",
  {
    // Trackers keep ids, so the id of a deleted list is never given again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    label: text().notNull(),
    employee_controlled: integer({ mode: "boolean" }).notNull(),
    supervisor_controlled: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [index("status_listing_account").on(table.account_id)],
);
