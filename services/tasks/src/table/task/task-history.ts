import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const OPERATIONS = ["create", "update", "assign", "status_change"] as const;

/** What happened to tasks, routes and checkpoints; it goes with them. */
export const taskHistory = sqliteTable(
  "task_history",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    task_id: integer().notNull(),
    /** Who did it: the master where nobody called. */
    user_id: integer().notNull(),
    /** UTC milliseconds. */
    event_date: integer().notNull(),
    operation: text({ enum: OPERATIONS }).notNull(),
    /** Members of the task, as they became. */
    payload: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Under which the change was told, where visits made it. */
    event_id: text(),
  },
  (table) => [index("task_history_account_task").on(table.account_id, table.task_id)],
);
