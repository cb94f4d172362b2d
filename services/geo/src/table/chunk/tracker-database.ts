import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The databases that points are in, in their order; the same list stands in each of them. Empty as long as there is one.
 * A trigger refuses chunks of trackers that belong into another one. Written by `scripts/tracker-databases.ts` alone.
 */
export const trackerDatabase = sqliteTable("tracker_database", {
  /** From 1 on; the first has all that is not points as well. */
  position: integer().primaryKey(),
  /** Trackers with smaller ids were made before it was there. */
  first_tracker_id: integer().notNull(),
  /** A name for life, by which a database is known wherever it is. */
  mark: text().notNull(),
  /** Whether it is this database. */
  is_here: integer({ mode: "boolean" }).notNull(),
});
