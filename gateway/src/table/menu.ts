import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

type Item = { name: string; items?: { name: string }[] };
/** The menus of a client application; it knows the items by their names. */
export type Menu = { application: string; account_menu: Item[]; main_menu: Item[]; footer_menu: Item[] };

/** Menus that operators set for a master and its sub-users, or for all users of a dealer. */
export const menu = sqliteTable(
  "menu",
  {
    dealer_id: integer().notNull(),
    /** The master's id; 0 for the dealer's default. */
    user_id: integer().notNull(),
    application: text().notNull(),
    value: text({ mode: "json" }).$type<Menu>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.dealer_id, table.user_id, table.application] })],
);
