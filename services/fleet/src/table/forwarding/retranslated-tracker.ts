import { sql } from "drizzle-orm";
import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Trackers that were ever bound: what their feeds must know of, and whether a sweep still has to tell it. */
export const retranslatedTracker = sqliteTable(
  "retranslated_tracker",
  {
    tracker_id: integer().primaryKey(),
    account_id: integer().notNull(),
    /** Grows with every change of the tracker's targets: an older word never overwrites a newer. */
    revision: integer().notNull(),
    pending: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [
    index("retranslated_tracker_account").on(table.account_id, table.pending),
    index("retranslated_tracker_pending").on(table.account_id, table.tracker_id).where(sql`pending`),
  ],
);
