import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** The last change of each account, and the last one that was deleted because of its age. */
export const syncRevision = sqliteTable("sync_revision", {
  account_id: integer().primaryKey(),
  revision: integer().notNull(),
  forgotten: integer().notNull(),
});
