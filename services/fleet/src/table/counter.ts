import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Term } from "#shared/contract/meter.ts";

export const COUNTER_TYPES = ["odometer", "fuel_consumed", "engine_hours"] as const;

/** Of trackers, never of their clones, which show the same. */
export const counter = sqliteTable(
  "counter",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    type: text({ enum: COUNTER_TYPES }).notNull(),
    multiplier: real().notNull().default(1),
    /** Where an odometer's kilometres come from; null: from the points. */
    sensor_id: integer(),
  },
  (table) => [uniqueIndex("counter_tracker_type").on(table.account_id, table.tracker_id, table.type)],
);
export type CounterRow = typeof counter.$inferSelect;

/** By what a counter counts from a moment on. At equal moments the later row is the one that counts. */
export const counterSegment = sqliteTable(
  "counter_segment",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    counter_id: integer().notNull(),
    /** By the device's clock, UTC milliseconds; 0: from the first point on. */
    from_time: integer().notNull(),
    multiplier: real().notNull(),
    source: text({ mode: "json" }).$type<Term[]>().notNull(),
    /** What somebody set the counter to; null: it goes on from what it was. */
    value: real(),
    /** When somebody set it, by our clock. */
    set_time: integer(),
  },
  (table) => [index("counter_segment_counter").on(table.counter_id, table.id)],
);
export type SegmentRow = typeof counterSegment.$inferSelect;
