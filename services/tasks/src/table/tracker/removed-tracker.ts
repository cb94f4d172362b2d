import { sql } from "drizzle-orm";
import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Removed trackers, so that calls which read a tracker before its removal cannot assign anything to it. */
export const removedTracker = sqliteTable(
  "removed_tracker",
  {
    tracker_id: integer().primaryKey(),
    account_id: integer().notNull(),
    /** True while tasks or schedules still have the tracker. */
    pending: integer({ mode: "boolean" }).notNull(),
  },
  // A partial index cannot qualify columns by their table.
  (table) => [
    // Serves sweepRemovedTrackers.
    index("removed_tracker_pending").on(table.account_id, table.tracker_id).where(sql`pending`),
  ],
);
