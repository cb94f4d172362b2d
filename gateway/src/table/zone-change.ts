import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Changes of masters' time zones, of which tasks is still to hear; the newest of an account counts. */
export const zoneChange = sqliteTable("zone_change", {
  // A later change has a higher one, also when those before it are told and gone.
  id: integer().primaryKey({ autoIncrement: true }),
  account_id: integer().notNull(),
});
