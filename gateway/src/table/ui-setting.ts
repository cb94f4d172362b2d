import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Texts that client applications store for their user. */
export const uiSetting = sqliteTable(
  "ui_setting",
  {
    account_id: integer().notNull(),
    user_id: integer().notNull(),
    key: text().notNull(),
    value: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.key] }),
    // Serves putUiSetting.
    index("ui_setting_account").on(table.account_id, table.user_id),
  ],
);
