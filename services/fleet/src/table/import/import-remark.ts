import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What is to be said of a line. */
export const importRemark = sqliteTable(
  "import_remark",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    process_id: integer().notNull(),
    kind: text({ enum: ["error", "warning"] }).notNull(),
    line: integer().notNull(),
    message: text().notNull(),
    /** The line itself, where it was not imported. */
    text: text(),
  },
  (table) => [
    index("import_remark_process").on(table.process_id, table.kind, table.line),
    index("import_remark_account").on(table.account_id),
  ],
);
