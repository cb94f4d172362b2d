import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AddressedPosition } from "./form/form.ts";

/** What somebody in the field reported of where they were. Its form and its files go with it, by triggers of the database. */
export const checkin = sqliteTable(
  "checkin",
  {
    // Events keep ids: a deleted check-in's is never given out again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    /** Who was on the tracker at that time. */
    employee_id: integer(),
    employee_name: text(),
    /** When it was made, in UTC milliseconds. */
    marker_time: integer().notNull(),
    /** When it came, which is later where it was made without a network; null for what came before this was kept. */
    received: integer(),
    location: text({ mode: "json" }).$type<AddressedPosition>().notNull(),
    lat: real().notNull(),
    lng: real().notNull(),
    comment: text(),
    file_ids: text({ mode: "json" }).$type<number[]>().notNull(),
    // Without marks and in lower case: what is searched and sorted by.
    employee_folded: text(),
    address_folded: text().notNull(),
    comment_folded: text(),
  },
  (table) => [
    index("checkin_account_time").on(table.account_id, table.marker_time),
    index("checkin_account_tracker").on(table.account_id, table.tracker_id),
  ],
);
export type CheckinRow = typeof checkin.$inferSelect;
