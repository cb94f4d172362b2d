import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A parsed spreadsheet; its rows stand in the bucket as tab-separated text. The row is there before they are. */
export const sheet = sqliteTable(
  "sheet",
  {
    // Orders them: of two made in the same millisecond too.
    id: integer().primaryKey({ autoIncrement: true }),
    file_id: text().notNull().unique(),
    account_id: integer().notNull(),
    /** Rows without the header. */
    rows: integer().notNull(),
    /** UTC milliseconds. */
    expires: integer().notNull(),
  },
  (table) => [index("sheet_account").on(table.account_id, table.id), index("sheet_expires").on(table.expires)],
);
