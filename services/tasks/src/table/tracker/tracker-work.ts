import { index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";

/** Trackers that have, or had, tasks or checkpoints. */
export const trackerWork = sqliteTable(
  "tracker_work",
  {
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    /** Counts changes per account: triggers give the next number to the tracker whose stops change. */
    revision: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.tracker_id] }),
    // Serves selectChangedWork.
    index("tracker_work_revision").on(table.account_id, table.revision),
  ],
);
