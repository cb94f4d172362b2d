import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Masters and sub-users of whom geo or tasks still has something; a row stays until a sweep has told them. */
export const userRemoval = sqliteTable("user_removal", {
  id: integer().primaryKey(),
  account_id: integer().notNull(),
});
