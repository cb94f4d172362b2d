import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/**
 * The number of vehicles and employees of each account, kept by triggers: counting rows would take as long as there are
 * rows.
 */
export const accountSize = sqliteTable("account_size", {
  account_id: integer().primaryKey(),
  vehicles: integer().notNull(),
  employees: integer().notNull(),
});
