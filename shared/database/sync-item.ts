import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Items of `sync/push` that are done. A row is written in the item's transaction, so that an item is done once. */
export function syncItemTable() {
  return sqliteTable(
    "sync_item",
    {
      user_id: integer().notNull(),
      uuid: text().notNull(),
      account_id: integer().notNull(),
      operation: text().notNull(),
      /** When the user did it and when it arrived, in UTC milliseconds. */
      time: integer().notNull(),
      received: integer().notNull(),
      /** The operation's result, with dates as stored. */
      answer: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.user_id, table.uuid] }),
      index("sync_item_account").on(table.account_id),
      index("sync_item_received").on(table.received),
    ],
  );
}
export type SyncItemTable = ReturnType<typeof syncItemTable>;
