import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/**
 * New clones that the tasks service does not know of yet, each with its original. Triggers write and remove the rows.
 */
export const undeliveredClone = sqliteTable(
  "undelivered_clone",
  {
    tracker_id: integer().primaryKey(),
    account_id: integer().notNull(),
    feed_account_id: integer().notNull(),
    feed_tracker_id: integer().notNull(),
  },
  (table) => [index("undelivered_clone_account").on(table.account_id)],
);
