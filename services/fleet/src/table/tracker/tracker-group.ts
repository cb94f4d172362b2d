import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Purely visual; group 0, which is no row, holds whatever is in none. */
export const trackerGroup = sqliteTable(
  "tracker_group",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    title: text().notNull(),
    color: text().notNull(),
  },
  (table) => [index("tracker_group_account").on(table.account_id)],
);
