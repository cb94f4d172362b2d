import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The databases that hold points, in order; each database has the same list. Empty with a single database. A trigger
 * refuses chunks of trackers of another database. Only `scripts/tracker-databases.ts` writes it.
 */
export const trackerDatabase = sqliteTable("tracker_database", {
  /** Starts at 1. The first database also holds everything besides points. */
  position: integer().primaryKey(),
  /** The first tracker id of this database. */
  first_tracker_id: integer().notNull(),
  /** A permanent name that identifies the database. */
  mark: text().notNull(),
  /** True in the row of the database that holds this copy of the list. */
  is_here: integer({ mode: "boolean" }).notNull(),
});
