import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AddressedPosition } from "./form/form.ts";

/** A check-in: where and when a person in the field was. Database triggers delete its form and files with it. */
export const checkin = sqliteTable(
  "checkin",
  {
    // Events keep ids: a deleted check-in's id is never used again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    /** The employee on the tracker at the time of the check-in. */
    employee_id: integer(),
    employee_name: text(),
    /** UTC milliseconds when it was made on the device. */
    marker_time: integer().notNull(),
    /**
     * UTC milliseconds when it arrived: later than `marker_time` if the device had no network. Null for check-ins older
     * than this column.
     */
    received: integer(),
    location: text({ mode: "json" }).$type<AddressedPosition>().notNull(),
    lat: real().notNull(),
    lng: real().notNull(),
    comment: text(),
    file_ids: text({ mode: "json" }).$type<number[]>().notNull(),
    // Folded copies (lower case, no diacritics) for search and sorting.
    employee_folded: text(),
    address_folded: text().notNull(),
    comment_folded: text(),
  },
  (table) => [
    // Serves selectCheckins.
    index("checkin_account_time").on(table.account_id, table.marker_time),
    // Serves selectFirstPage.
    index("checkin_account_tracker").on(table.account_id, table.tracker_id),
  ],
);
export type CheckinRow = typeof checkin.$inferSelect;
