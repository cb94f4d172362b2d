import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Masters removed for good, by their ids alone: a repeat of the call finishes what a failure left of their accounts. */
export const removedUser = sqliteTable("removed_user", {
  id: integer().primaryKey(),
  dealer_id: integer().notNull(),
});
