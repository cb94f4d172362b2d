import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** The revision of an account's last change of places, and the last one that was deleted from the list of changes. */
export const placeRevision = sqliteTable("place_revision", {
  account_id: integer().primaryKey(),
  revision: integer().notNull(),
  forgotten: integer().notNull(),
});
