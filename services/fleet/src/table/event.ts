import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { EVENT_NAMES, type EventExtra } from "#shared/contract/event.ts";

/** What happened to trackers, from every producer. */
export const event = sqliteTable(
  "event",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The producer's: an event that is told twice is one. */
    event_id: text().notNull().unique(),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    /** UTC milliseconds. */
    time: integer().notNull(),
    event: text({ enum: EVENT_NAMES }).notNull(),
    message: text().notNull(),
    /** For all users of the account: what one has read is read. */
    is_read: integer({ mode: "boolean" }).notNull().default(false),
    emergency: integer({ mode: "boolean" }).notNull().default(false),
    rule_id: integer(),
    track_id: integer().notNull().default(0),
    location: text({ mode: "json" }).$type<{ lat: number; lng: number; precision?: number }>(),
    address: text().notNull().default(""),
    extra: text({ mode: "json" }).$type<EventExtra>().notNull(),
    // Who and what was on the tracker when it happened to be told.
    employee_id: integer(),
    vehicle_id: integer(),
    /** The sub-user that alone sees it; null: whoever sees the tracker. */
    private_to: integer(),
    /** When it was stored, in UTC milliseconds; null once the gateway knows of it, and where it need not. */
    undelivered_since: integer("untold_since"),
  },
  (table) => [
    index("event_account_tracker").on(table.account_id, table.tracker_id, table.time, table.is_read),
    index("event_account_time").on(table.account_id, table.time, table.is_read),
    // A partial index takes no name of a table.
    index("event_unread").on(table.account_id, table.time).where(sql`is_read = 0`),
    index("event_untold").on(table.account_id, table.id).where(sql`untold_since IS NOT NULL`),
  ],
);
export type EventRow = typeof event.$inferSelect;
