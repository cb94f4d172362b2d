import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Accounts with changed sensors that geo's rules have not read yet. A trigger writes the rows. */
export const gaugeChange = sqliteTable("gauge_change", {
  account_id: integer().primaryKey(),
  /** Grows with each change: a row that changed during its delivery is delivered again. */
  revision: integer().notNull(),
});
