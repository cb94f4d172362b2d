import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Accounts in which a sensor has changed, of which rules are still to hear. A trigger of the database makes the row. */
export const gaugeChange = sqliteTable("gauge_change", {
  account_id: integer().primaryKey(),
  /** Another one while geo was being told: it is told again. */
  revision: integer().notNull(),
});
