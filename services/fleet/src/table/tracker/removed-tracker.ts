import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Removed trackers with what was known of their devices, for the operators' panel and for deliveries to geo. */
export const removedTracker = sqliteTable(
  "removed_tracker",
  {
    /** The id of the removed tracker. */
    id: integer().primaryKey(),
    account_id: integer().notNull(),
    dealer_id: integer().notNull(),
    source_id: integer().notNull(),
    clone: integer({ mode: "boolean" }).notNull(),
    label: text().notNull(),
    group_id: integer().notNull(),
    comment: text().notNull(),
    device_id: text().notNull(),
    model: text().notNull(),
    blocked: integer({ mode: "boolean" }).notNull(),
    tariff_id: integer().notNull(),
    creation_date: integer().notNull(),
    phone: text(),
    /** One more than the device's last revision, so that geo accepts the removal as a newer state. */
    revision: integer().notNull(),
    /** UTC milliseconds. */
    removed_at: integer().notNull().default(0),
    /** Points, events and statuses are deleted; only this row is left. */
    is_erased: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("removed_tracker_account").on(table.account_id),
    // Serves selectPendingDevices.
    index("removed_tracker_source").on(table.source_id, table.clone),
    // The condition of a partial index must not name the table.
    // Serves selectTrackersRemovedBefore.
    index("removed_tracker_unerased").on(table.account_id, table.removed_at).where(sql`is_erased = 0`),
  ],
);
export type RemovedTrackerRow = typeof removedTracker.$inferSelect;
