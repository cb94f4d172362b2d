import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Masters removed for good, by their ids alone: a repeat of the call finishes what a failure left of their accounts. */
export const removedUser = sqliteTable("removed_user", {
  id: integer().primaryKey(),
  dealer_id: integer().notNull(),
});

/** Masters and sub-users of whom geo or tasks still has something; a row stays until a sweep has told them. */
export const departedUser = sqliteTable("departed_user", {
  id: integer().primaryKey(),
  account_id: integer().notNull(),
});
