import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const CHANGE_ORIGINS = ["supervisor", "tracker"] as const;

/** Who was on a tracker, from when on. */
export const driverChange = sqliteTable(
  "driver_change",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    /** Null: nobody. */
    employee_id: integer(),
    /** UTC milliseconds. */
    changed: integer().notNull(),
    origin: text({ enum: CHANGE_ORIGINS }).notNull(),
    hardware_key: text(),
    /** Where the tracker was last known to be. */
    location: text({ mode: "json" }).$type<{ lat: number; lng: number; address: string }>(),
  },
  (table) => [
    index("driver_change_tracker").on(table.account_id, table.tracker_id, table.changed),
    index("driver_change_employee").on(table.account_id, table.employee_id, table.tracker_id),
  ],
);
