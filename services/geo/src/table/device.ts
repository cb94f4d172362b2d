import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The tracker of each device: a copy of fleet's data, so that points find their feed without a call to fleet. */
export const device = sqliteTable(
  "device",
  {
    device_id: text().primaryKey(),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    source_id: integer().notNull(),
    revision: integer().notNull(),
  },
  (table) => [
    // Serves deleteDevices.
    index("device_account").on(table.account_id, table.tracker_id),
  ],
);
