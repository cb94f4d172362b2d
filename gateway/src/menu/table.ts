import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Menu } from "./schema.ts";

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
