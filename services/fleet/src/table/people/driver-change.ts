import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const CHANGE_ORIGINS = ["supervisor", "tracker"] as const;

/** Which employee was on a tracker since when. */
export const driverChange = sqliteTable(
  "driver_change",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    /** Null: no employee. */
    employee_id: integer(),
    /** UTC milliseconds. */
    changed: integer().notNull(),
    origin: text({ enum: CHANGE_ORIGINS }).notNull(),
    hardware_key: text(),
    /** The last known position of the tracker at that time. */
    location: text({ mode: "json" }).$type<{ lat: number; lng: number; address: string }>(),
  },
  (table) => [
    // Serves selectLastChange.
    index("driver_change_tracker").on(table.account_id, table.tracker_id, table.changed),
    // Serves selectAssignments.
    index("driver_change_employee").on(table.account_id, table.employee_id, table.tracker_id),
  ],
);
