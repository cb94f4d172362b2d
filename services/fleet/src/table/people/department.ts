import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Location } from "#shared/operation/fields.ts";

export const department = sqliteTable(
  "department",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    label: text().notNull(),
    /** The label without marks and in lower case, to search and sort employees by. */
    label_folded: text().notNull(),
    location: text({ mode: "json" }).$type<Location>(),
  },
  (table) => [index("department_account").on(table.account_id)],
);
export type DepartmentRow = typeof department.$inferSelect;
