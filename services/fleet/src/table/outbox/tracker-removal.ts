import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Removed trackers and clones that the tasks service does not know of yet. */
export const trackerRemoval = sqliteTable(
  "tracker_removal",
  {
    tracker_id: integer().primaryKey(),
    account_id: integer().notNull(),
  },
  (table) => [index("tracker_removal_account").on(table.account_id)],
);
