import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Trackers and clones removed for good, of which tasks is still to hear. */
export const trackerRemoval = sqliteTable(
  "tracker_removal",
  {
    tracker_id: integer().primaryKey(),
    account_id: integer().notNull(),
  },
  (table) => [index("tracker_removal_account").on(table.account_id)],
);
