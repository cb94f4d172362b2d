import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Which tracker a device feeds. A copy of what fleet knows, for a point to find its way without asking there. */
export const device = sqliteTable(
  "device",
  {
    device_id: text().primaryKey(),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    source_id: integer().notNull(),
    revision: integer().notNull(),
  },
  (table) => [index("device_account").on(table.account_id, table.tracker_id)],
);
