import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Parsed spreadsheets. Their rows are in the bucket as tab-separated text, stored after this row. */
export const sheet = sqliteTable(
  "sheet",
  {
    // The order of creation, also within a millisecond.
    id: integer().primaryKey({ autoIncrement: true }),
    file_id: text().notNull().unique(),
    account_id: integer().notNull(),
    /** The user who uploaded it. All users of the account who have its `file_id` may read it. */
    user_id: integer().notNull(),
    /** The number of rows, without the header. */
    rows: integer().notNull(),
    /** When the sheet expires, in UTC milliseconds. */
    expires: integer().notNull(),
  },
  (table) => [
    // Serves expireSheetsOfAccounts.
    index("sheet_user").on(table.account_id, table.user_id, table.id),
    index("sheet_expires").on(table.expires),
  ],
);
