import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";
import type { Location } from "#shared/operation/fields.ts";
import { TYPES } from "../task/task.ts";

/** On which days: 1 is Monday, or the first of the month. */
export type ScheduleDays = { type: "weekdays"; weekdays: number[] } | { type: "month_days"; month_days: number[] };

/**
 * Tasks and routes to be made, day after day, for a time of these days. Stays, delays and durations in minutes. The place and
 * the time of a route mean nothing: its checkpoints have them.
 */
export const taskSchedule = sqliteTable(
  "task_schedule",
  {
    // Tasks keep ids: a deleted schedule's is never given out again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    revision: revisionColumn(),
    tracker_id: integer(),
    type: text({ enum: TYPES }).notNull().default("task"),
    /** A checkpoint's route, with which it is made, and its place there, from 0. */
    parent_id: integer(),
    order: integer(),
    label: text().notNull(),
    description: text().notNull(),
    location: text({ mode: "json" }).$type<Location & { radius: number }>().notNull(),
    /** `HH:MM:SS`. */
    from_time: text().notNull(),
    duration: integer().notNull(),
    max_delay: integer().notNull(),
    min_stay_duration: integer().notNull(),
    min_arrival_duration: integer().notNull(),
    parameters: text({ mode: "json" }).$type<ScheduleDays>().notNull(),
    /** What its tasks get a form of; the template may be no more. */
    form_template_id: integer(),
    /** The account's, in which its days begin. */
    time_zone: text().notNull(),
    /** When the next of its days begins there, in UTC milliseconds. */
    next_run: integer().notNull(),
    /** Its tracker is no more: it makes no tasks until it is given another. */
    paused: integer({ mode: "boolean" }).notNull().default(false),
    // Without marks and in lower case: what is searched.
    label_folded: text().notNull(),
    description_folded: text().notNull(),
    address_folded: text().notNull(),
  },
  (table) => [
    // Ends in the id by itself, by which lists are sorted.
    index("task_schedule_account").on(table.account_id),
    index("task_schedule_account_tracker").on(table.account_id, table.tracker_id),
    index("task_schedule_account_parent").on(table.account_id, table.parent_id, table.order),
    // A partial index takes no name of a table. Checkpoints are made with their routes.
    index("task_schedule_next_run").on(table.account_id, table.next_run).where(sql`NOT paused AND parent_id IS NULL`),
  ],
);
export type ScheduleRow = typeof taskSchedule.$inferSelect;
