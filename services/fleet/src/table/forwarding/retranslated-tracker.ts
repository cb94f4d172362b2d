import { sql } from "drizzle-orm";
import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/**
 * Trackers that were ever bound to a retranslator, and whether their targets are still to be delivered to their feeds.
 */
export const retranslatedTracker = sqliteTable(
  "retranslated_tracker",
  {
    tracker_id: integer().primaryKey(),
    account_id: integer().notNull(),
    /**
     * Grows with every change of the tracker's targets: the feed ignores a message whose revision is lower than the
     * stored one.
     */
    revision: integer().notNull(),
    pending: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [
    // Serves removeRetranslator.
    index("retranslated_tracker_account").on(table.account_id, table.pending),
    // Serves selectUndeliveredTargets.
    index("retranslated_tracker_pending").on(table.account_id, table.tracker_id).where(sql`pending`),
  ],
);
