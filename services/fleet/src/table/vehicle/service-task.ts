import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** In the order of a task's life. Up to `expired`, the clock and the counters change the status. */
export const SERVICE_TASK_STATUSES = ["created", "notified", "expired", "done"] as const;

/** Maintenance of a vehicle due by mileage, date or engine hours. In kilometers, hours and UTC milliseconds. */
export const serviceTask = sqliteTable(
  "service_task",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    vehicle_id: integer().notNull(),
    status: text({ enum: SERVICE_TASK_STATUSES }).notNull().default("created"),
    description: text().notNull(),
    comment: text().notNull(),
    repeat: integer({ mode: "boolean" }).notNull(),
    unplanned: integer({ mode: "boolean" }).notNull(),
    cost: real().notNull(),
    // The conditions of the task. Null limits and ends: no condition of that kind.
    mileage_limit: real(),
    mileage_notification: real(),
    mileage_repeat: real(),
    hours_limit: real(),
    hours_notification: real(),
    hours_repeat: real(),
    date_end: integer(),
    /** In days, as is `date_repeat`. */
    date_notification: integer(),
    date_repeat: integer(),
    sms_phones: text({ mode: "json" }).$type<string[]>().notNull(),
    emails: text({ mode: "json" }).$type<string[]>().notNull(),
    push_enabled: integer({ mode: "boolean" }).notNull(),
    /** Without duplicates, in the order of the request. */
    file_ids: text({ mode: "json" }).$type<number[]>().notNull().default([]),
    // Counter values at the start and at the completion; null when a counter had no value.
    start_mileage: real(),
    start_hours: real(),
    /** When the task was created, or when the completed task that it follows was completed. */
    start_date: integer().notNull(),
    completion_mileage: real(),
    completion_hours: real(),
    completion_date: integer(),
    /** When the user is notified of the end of the date condition. */
    notify_at: integer(),
    /** When the clock next changes the status; null: never. */
    due_at: integer(),
    /** When the counters were last compared; null: they cannot change the status any more. */
    checked_at: integer(),
    /** When the task will be due, as predicted at the last comparison. */
    predicted_date: integer(),
    /** Grows with each change of the conditions: results computed for former conditions are ignored. */
    revision: integer().notNull().default(0),
    // Copies without marks and in lower case, to search and sort by.
    description_folded: text().notNull(),
    comment_folded: text().notNull(),
  },
  (table) => [
    // Ends with the row's id, as every index does; lists are sorted by it.
    index("service_task_account").on(table.account_id),
    // Serves updateFileExpiry.
    index("service_task_with_files").on(table.account_id).where(sql`file_ids <> '[]'`),
    // Serves removeVehicles.
    index("service_task_vehicle").on(table.account_id, table.vehicle_id, table.status),
    // Serves selectDueTasks.
    index("service_task_due").on(table.account_id, table.due_at).where(sql`due_at IS NOT NULL`),
    // Serves selectUncheckedTasks.
    index("service_task_checked").on(table.account_id, table.checked_at).where(sql`checked_at IS NOT NULL`),
  ],
);
export type ServiceTaskRow = typeof serviceTask.$inferSelect;
