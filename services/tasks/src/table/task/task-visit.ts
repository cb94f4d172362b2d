import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** How far the reports on visits of a task have come; it goes with the task, by a trigger. */
export const taskVisit = sqliteTable(
  "task_visit",
  {
    task_id: integer().primaryKey(),
    account_id: integer().notNull(),
    /** Of the last report. */
    revision: integer().notNull(),
  },
  (table) => [index("task_visit_account").on(table.account_id)],
);
