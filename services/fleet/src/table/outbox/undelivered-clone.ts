import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Clones of which tasks is still to hear, each with the tracker whose points it shows: triggers write and remove them. */
export const undeliveredClone = sqliteTable(
  "untold_clone",
  {
    tracker_id: integer().primaryKey(),
    account_id: integer().notNull(),
    feed_account_id: integer().notNull(),
    feed_tracker_id: integer().notNull(),
  },
  (table) => [index("untold_clone_account").on(table.account_id)],
);
