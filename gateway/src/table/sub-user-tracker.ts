import { index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";

/** The trackers bound to a sub-user, which it sees. */
export const subUserTracker = sqliteTable(
  "sub_user_tracker",
  {
    account_id: integer().notNull(),
    sub_user_id: integer().notNull(),
    tracker_id: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sub_user_id, table.tracker_id] }),
    // Serves unbindTrackers.
    index("sub_user_tracker_account").on(table.account_id, table.tracker_id),
  ],
);
