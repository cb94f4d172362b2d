import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

type Item = { name: string; items?: { name: string }[] };
/** What an application shows where, by names that it knows. */
export type Menu = { application: string; account_menu: Item[]; main_menu: Item[]; footer_menu: Item[] };

/** What an operator settled of an application's menu, for a user or for all of its dealer's. */
export const menu = sqliteTable(
  "menu",
  {
    dealer_id: integer().notNull(),
    /** The master; 0 for the dealer's default. */
    user_id: integer().notNull(),
    application: text().notNull(),
    value: text({ mode: "json" }).$type<Menu>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.dealer_id, table.user_id, table.application] })],
);
