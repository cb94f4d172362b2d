import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** The names of a tracker's outputs. */
export const output = sqliteTable(
  "output",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    /** Counted from 1. */
    number: integer().notNull(),
    title: text().notNull(),
  },
  (table) => [uniqueIndex("output_tracker_number").on(table.account_id, table.tracker_id, table.number)],
);
