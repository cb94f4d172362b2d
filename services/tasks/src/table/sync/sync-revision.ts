import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** How far an account's changes are, and up to where they are forgotten. */
export const syncRevision = sqliteTable("sync_revision", {
  account_id: integer().primaryKey(),
  revision: integer().notNull(),
  forgotten: integer().notNull(),
});
