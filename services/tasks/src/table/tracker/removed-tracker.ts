import { sql } from "drizzle-orm";
import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Trackers that are no more, so that no call that still saw one gives work to it. */
export const removedTracker = sqliteTable(
  "removed_tracker",
  {
    tracker_id: integer().primaryKey(),
    account_id: integer().notNull(),
    /** Until no task and no schedule has it. */
    pending: integer({ mode: "boolean" }).notNull(),
  },
  // A partial index takes no name of a table.
  (table) => [index("removed_tracker_pending").on(table.account_id, table.tracker_id).where(sql`pending`)],
);
