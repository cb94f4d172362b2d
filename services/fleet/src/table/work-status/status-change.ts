import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const STATUS_ORIGINS = ["employee", "supervisor"] as const;

/** All changes of trackers' work statuses. */
export const statusChange = sqliteTable(
  "status_change",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    /** Null: no status, or one that was deleted. */
    old_status_id: integer(),
    new_status_id: integer(),
    location: text({ mode: "json" }).$type<{ lat: number; lng: number; address: string }>(),
    /** UTC milliseconds. */
    changed: integer().notNull(),
    origin: text({ enum: STATUS_ORIGINS }).notNull(),
  },
  (table) => [
    // Serves selectTrackerStatuses.
    index("status_change_tracker").on(table.account_id, table.tracker_id, table.id),
  ],
);
export type StatusChangeRow = typeof statusChange.$inferSelect;
