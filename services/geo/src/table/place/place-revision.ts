import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** How far the changes of an account's places are, and up to where they are forgotten. */
export const placeRevision = sqliteTable("place_revision", {
  account_id: integer().primaryKey(),
  revision: integer().notNull(),
  forgotten: integer().notNull(),
});
