import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Groups in which lists show trackers. Group 0 has no row: it stands for trackers in no group. */
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
