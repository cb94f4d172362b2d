import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Location } from "#shared/operation/fields.ts";

export const garage = sqliteTable(
  "garage",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    organization_name: text().notNull(),
    /** The name without marks and in lower case, to sort vehicles by. */
    organization_name_folded: text().notNull(),
    mechanic_name: text().notNull(),
    dispatcher_name: text().notNull(),
    location: text({ mode: "json" }).$type<Location>(),
  },
  (table) => [index("garage_account").on(table.account_id)],
);
export type GarageRow = typeof garage.$inferSelect;
