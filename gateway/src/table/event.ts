import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Events of the feed and of webhooks. The trigger `audit_event` inserts those of changes. */
export const event = sqliteTable(
  "event",
  {
    account_id: integer().notNull(),
    /** Counts the events of the account from 1, in the order in which they were committed. */
    sequence: integer().notNull(),
    /** The id that receivers see; unique, so that an event that is delivered twice is stored once. */
    event_id: text().notNull().unique(),
    type: text().notNull(),
    /** When it happened, in UTC milliseconds. */
    time: integer().notNull(),
    /** The user whose call made the change; 0 for an operator, null when no call did. */
    user_id: integer(),
    /** The tracker that decides which sub-users see the event; null: only the type decides. */
    tracker_id: integer(),
    /** The only sub-user that sees the event; null: every user that sees the tracker. */
    private_to: integer(),
    /** The thing that the event is about, as in `vehicle:17`. */
    subject: text().notNull(),
    data: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** When it was stored, in UTC milliseconds; never earlier than that of a smaller sequence. */
    stored: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.sequence] }),
    // Serves deleteOldEvents.
    index("event_account_stored").on(table.account_id, table.stored, table.sequence),
  ],
);
export type EventRow = typeof event.$inferSelect;
