import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Ids of removed masters: a repeated call of `/panel/user/corrupt` can finish what failed the first time. */
export const removedUser = sqliteTable("removed_user", {
  id: integer().primaryKey(),
  dealer_id: integer().notNull(),
});
