import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What items of `sync/push` have done: a row stands in the transaction of that, so that an item is done once. */
export function syncItemTable() {
  return sqliteTable(
    "sync_item",
    {
      user_id: integer().notNull(),
      uuid: text().notNull(),
      account_id: integer().notNull(),
      operation: text().notNull(),
      /** When it was done and when it came, in UTC milliseconds. */
      time: integer().notNull(),
      received: integer().notNull(),
      /** What the operation found, dates as they are stored. */
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
