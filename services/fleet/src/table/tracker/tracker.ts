import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const tracker = sqliteTable(
  "tracker",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    source_id: integer().notNull(),
    /** True for a read-only view of another account's tracker. */
    clone: integer({ mode: "boolean" }).notNull().default(false),
    label: text().notNull(),
    /** The label without marks and in lower case, to search by. */
    label_folded: text().notNull(),
    group_id: integer().notNull().default(0),
    avatar_file_name: text(),
    /** A remark of the operator. */
    comment: text().notNull().default(""),
  },
  (table) => [
    uniqueIndex("tracker_account_source").on(table.account_id, table.source_id),
    // Serves selectClones.
    index("tracker_source").on(table.source_id, table.clone),
  ],
);
export type TrackerRow = typeof tracker.$inferSelect;
