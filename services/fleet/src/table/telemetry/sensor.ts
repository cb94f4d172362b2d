import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Bend } from "#shared/telemetry/sensor.ts";

/** Sensors of trackers. Clones have no rows: they show the sensors of their originals. */
export const sensor = sqliteTable(
  "sensor",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    type: text({ enum: ["metering", "discrete", "virtual"] }).notNull(),
    sensor_type: text().notNull(),
    name: text().notNull(),
    /** Null for discrete sensors. */
    input_name: text(),
    /** Only discrete sensors have a number. */
    input_number: integer(),
    group_type: text({ enum: ["sum", "avg"] }),
    divider: real().notNull().default(1),
    accuracy: real().notNull().default(0),
    units: text().notNull().default(""),
    units_type: text().notNull().default("custom"),
    parameters: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    calibration: text({ mode: "json" }).$type<Bend[]>().notNull(),
    /**
     * A raw input that only one sensor of a tracker may use. Null: shared inputs; a unique index treats NULLs as
     * different.
     */
    slot: text(),
  },
  (table) => [
    // Serves selectSensors.
    index("sensor_account_tracker").on(table.account_id, table.tracker_id),
    uniqueIndex("sensor_slot").on(table.account_id, table.tracker_id, table.slot),
    uniqueIndex("sensor_ignition")
      .on(table.account_id, table.tracker_id, table.sensor_type)
      .where(sql`sensor_type IN ('ignition', 'virtual_ignition')`),
  ],
);
export type SensorRow = typeof sensor.$inferSelect;
