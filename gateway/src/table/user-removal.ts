import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Outbox of removed masters and sub-users. A row stays until geo and tasks have deleted the user's data. */
export const userRemoval = sqliteTable("user_removal", {
  id: integer().primaryKey(),
  account_id: integer().notNull(),
});
