import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** The last report of visits to each task; a trigger deletes it with the task. */
export const taskVisit = sqliteTable(
  "task_visit",
  {
    task_id: integer().primaryKey(),
    account_id: integer().notNull(),
    /** The revision of the last report. */
    revision: integer().notNull(),
  },
  (table) => [index("task_visit_account").on(table.account_id)],
);
