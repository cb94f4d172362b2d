import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** In the order in which a task goes through them; by the clock and the counters up to `expired`. */
export const SERVICE_TASK_STATUSES = ["created", "notified", "expired", "done"] as const;

/** Maintenance that a vehicle needs after some way, at a date or after some hours. Kilometers, hours, UTC milliseconds. */
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
    // Conditions; without a limit or an end there is none of its kind.
    mileage_limit: real(),
    mileage_notification: real(),
    mileage_repeat: real(),
    hours_limit: real(),
    hours_notification: real(),
    hours_repeat: real(),
    date_end: integer(),
    /** Days, as is the repeat. */
    date_notification: integer(),
    date_repeat: integer(),
    sms_phones: text({ mode: "json" }).$type<string[]>().notNull(),
    emails: text({ mode: "json" }).$type<string[]>().notNull(),
    push_enabled: integer({ mode: "boolean" }).notNull(),
    /** In the order given, each once. */
    file_ids: text({ mode: "json" }).$type<number[]>().notNull().default([]),
    // What the counters showed at the start and when it was done; null where they showed nothing.
    start_mileage: real(),
    start_hours: real(),
    /** When the task was created. */
    start_date: integer().notNull(),
    completion_mileage: real(),
    completion_hours: real(),
    completion_date: integer(),
    /** When the end of the date condition comes near. */
    notify_at: integer(),
    /** When the clock changes something next; null: never again. */
    due_at: integer(),
    /** When the counters were looked at last; null: they change nothing any more. */
    checked_at: integer(),
    /** When it will end, by what was known when it was looked at last. */
    predicted_date: integer(),
    /** One more with each change of the conditions: what was found out for others does not count. */
    revision: integer().notNull().default(0),
    // Without marks and in lower case: what is searched and sorted by.
    description_folded: text().notNull(),
    comment_folded: text().notNull(),
  },
  (table) => [
    // Ends in the id by itself, by which lists are sorted.
    index("service_task_account").on(table.account_id),
    index("service_task_with_files").on(table.account_id).where(sql`file_ids <> '[]'`),
    index("service_task_vehicle").on(table.account_id, table.vehicle_id, table.status),
    index("service_task_due").on(table.account_id, table.due_at).where(sql`due_at IS NOT NULL`),
    index("service_task_checked").on(table.account_id, table.checked_at).where(sql`checked_at IS NOT NULL`),
  ],
);
export type ServiceTaskRow = typeof serviceTask.$inferSelect;
