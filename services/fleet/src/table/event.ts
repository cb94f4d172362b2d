import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { EVENT_NAMES, type EventExtra } from "#shared/contract/event/event.ts";

/** Events of trackers, from all services that produce events. */
export const event = sqliteTable(
  "event",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The id that the producing service gave: an event that arrives twice is stored once. */
    event_id: text().notNull().unique(),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    /** UTC milliseconds. */
    time: integer().notNull(),
    event: text({ enum: EVENT_NAMES }).notNull(),
    message: text().notNull(),
    emergency: integer({ mode: "boolean" }).notNull().default(false),
    rule_id: integer(),
    track_id: integer().notNull().default(0),
    location: text({ mode: "json" }).$type<{ lat: number; lng: number; precision?: number }>(),
    address: text().notNull().default(""),
    extra: text({ mode: "json" }).$type<EventExtra>().notNull(),
    // The employee and the vehicle that were on the tracker when the event was stored.
    employee_id: integer(),
    vehicle_id: integer(),
    /** The only sub-user that sees the event; null: all users that see the tracker. */
    private_to: integer(),
    /**
     * When the event was stored, in UTC milliseconds; null once it is delivered to the gateway, and when it needs no
     * delivery.
     */
    undelivered_since: integer(),
    /** True: users are not notified of the event. */
    is_silent: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    // Serves eraseRemovedTrackers.
    index("event_account_tracker").on(table.account_id, table.tracker_id, table.time),
    // Serves deleteEvents.
    index("event_account_time").on(table.account_id, table.time),
    // Serves countUnread.
    index("event_account_id").on(table.account_id, table.id, table.time),
    // The condition of a partial index must not name the table.
    // Serves selectUndeliveredEvents.
    index("event_undelivered").on(table.account_id, table.id).where(sql`undelivered_since IS NOT NULL`),
  ],
);
export type EventRow = typeof event.$inferSelect;
