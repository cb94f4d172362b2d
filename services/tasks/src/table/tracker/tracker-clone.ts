import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Clones, each with the tracker whose points it shows: by triggers, the work of a clone is work of that tracker too. */
export const trackerClone = sqliteTable(
  "tracker_clone",
  {
    tracker_id: integer().primaryKey(),
    account_id: integer().notNull(),
    feed_account_id: integer().notNull(),
    feed_tracker_id: integer().notNull(),
  },
  (table) => [
    index("tracker_clone_account").on(table.account_id),
    index("tracker_clone_feed").on(table.feed_account_id, table.feed_tracker_id),
  ],
);
