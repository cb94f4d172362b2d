import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** How many of its things each account has. Triggers keep it, for a count takes as long as there are things. */
export const accountSize = sqliteTable("account_size", {
  account_id: integer().primaryKey(),
  vehicles: integer().notNull(),
  employees: integer().notNull(),
});
