import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** What a tracker's outputs are called. */
export const output = sqliteTable(
  "output",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    /** From 1 on. */
    number: integer().notNull(),
    title: text().notNull(),
  },
  (table) => [uniqueIndex("output_tracker_number").on(table.account_id, table.tracker_id, table.number)],
);
