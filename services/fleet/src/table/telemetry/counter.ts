import { integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const COUNTER_TYPES = ["odometer", "fuel_consumed", "engine_hours"] as const;

/** Counters of trackers. Clones have no rows: they show the counters of their originals. */
export const counter = sqliteTable(
  "counter",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    type: text({ enum: COUNTER_TYPES }).notNull(),
    multiplier: real().notNull().default(1),
    /** The sensor that an odometer counts by; null: by the distance between points. */
    sensor_id: integer(),
  },
  (table) => [uniqueIndex("counter_tracker_type").on(table.account_id, table.tracker_id, table.type)],
);
export type CounterRow = typeof counter.$inferSelect;
