import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Clones and their originals: triggers treat the tasks of a clone as tasks of the original, too. */
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
    // Serves selectStops.
    index("tracker_clone_feed").on(table.feed_account_id, table.feed_tracker_id),
  ],
);
