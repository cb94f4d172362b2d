import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Devices whose change geo must know of; a row stays until a sweep has told it. */
export const outbox = sqliteTable("outbox", {
  id: integer().primaryKey({ autoIncrement: true }),
  source_id: integer().notNull(),
});
