import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Whose points go where. */
export const trackerRetranslator = sqliteTable(
  "tracker_retranslator",
  {
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    retranslator_id: integer().notNull(),
    /** Instead of the device's own. */
    fake_device_id: text(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.tracker_id, table.retranslator_id] }),
    index("tracker_retranslator_retranslator").on(table.account_id, table.retranslator_id),
  ],
);

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
    index("retranslated_tracker_pending").on(table.pending, table.tracker_id),
  ],
);
