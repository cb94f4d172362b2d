import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Location } from "#shared/operation/fields.ts";

export const JOURNAL_TYPES = ["work", "personal", "other"] as const;

/** Entries of the driver journal. No two entries of a tracker overlap. */
export const journalEntry = sqliteTable(
  "journal_entry",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    /** UTC milliseconds. */
    start_date: integer().notNull(),
    end_date: integer().notNull(),
    employee_id: integer(),
    type: text({ enum: JOURNAL_TYPES }).notNull(),
    comment: text(),
    start_location: text({ mode: "json" }).$type<Location>().notNull(),
    end_location: text({ mode: "json" }).$type<Location>().notNull(),
    /** Kilometers. */
    length: real().notNull(),
    start_odometer: real(),
    end_odometer: real(),
    // Copies without marks and in lower case, to sort by.
    start_address_folded: text().notNull(),
    end_address_folded: text().notNull(),
  },
  (table) => [
    // Serves selectProposalInputs.
    index("journal_entry_tracker").on(table.account_id, table.tracker_id, table.start_date, table.end_date),
  ],
);
export type JournalEntryRow = typeof journalEntry.$inferSelect;
