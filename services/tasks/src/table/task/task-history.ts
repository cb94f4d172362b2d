import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const OPERATIONS = ["create", "update", "assign", "status_change"] as const;

/** The history of tasks, routes and checkpoints; deleted with them. */
export const taskHistory = sqliteTable(
  "task_history",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    task_id: integer().notNull(),
    /** The user who made the change; the master for changes by sweeps and visits. */
    user_id: integer().notNull(),
    /** UTC milliseconds. */
    event_date: integer().notNull(),
    operation: text({ enum: OPERATIONS }).notNull(),
    /** Members of the task and their new values. */
    payload: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** The id of the event that reported the change, if a visit caused it. */
    event_id: text(),
  },
  (table) => [
    // Serves removeTask.
    index("task_history_account_task").on(table.account_id, table.task_id),
  ],
);
