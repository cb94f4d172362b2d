import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Which tracker's points are forwarded to which retranslator. */
export const trackerRetranslator = sqliteTable(
  "tracker_retranslator",
  {
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    retranslator_id: integer().notNull(),
    /** Sent instead of the device's own id. */
    fake_device_id: text(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.tracker_id, table.retranslator_id] }),
    // Serves removeRetranslator.
    index("tracker_retranslator_retranslator").on(table.account_id, table.retranslator_id),
  ],
);
