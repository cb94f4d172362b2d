import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** The sequence of each account's latest event: a row stays when the sweep has deleted the event. */
export const eventSequence = sqliteTable("event_sequence", {
  account_id: integer().primaryKey(),
  last: integer().notNull(),
  /** `stored` of the latest event. */
  last_stored: integer().notNull(),
});
