import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Errors and warnings about lines of an import. */
export const importRemark = sqliteTable(
  "import_remark",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    process_id: integer().notNull(),
    kind: text({ enum: ["error", "warning"] }).notNull(),
    line: integer().notNull(),
    message: text().notNull(),
    /** The text of a line that was not imported. */
    text: text(),
  },
  (table) => [
    // Serves selectFailed.
    index("import_remark_process").on(table.process_id, table.kind, table.line),
    index("import_remark_account").on(table.account_id),
  ],
);
