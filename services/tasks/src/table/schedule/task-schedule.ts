import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";
import type { Location } from "#shared/operation/fields.ts";
import type { ScheduleDays } from "#shared/time/schedule-days.ts";
import { TYPES } from "../task/task.ts";

/**
 * Schedules that make a task or route on each of their days. Stays, delays and durations are in minutes. Place and time
 * of a route's row are unused: its checkpoints have their own.
 */
export const taskSchedule = sqliteTable(
  "task_schedule",
  {
    // Tasks keep ids: a deleted schedule's id is never used again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    revision: revisionColumn(),
    tracker_id: integer(),
    type: text({ enum: TYPES }).notNull().default("task"),
    /** For a checkpoint: the route that it is made with, and its position there, from 0. */
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
    /** The template of its tasks' forms; it may have been deleted. */
    form_template_id: integer(),
    /** The account's time zone, in which its days begin. */
    time_zone: text().notNull(),
    /** UTC milliseconds when its next day begins in `time_zone`. */
    next_run: integer().notNull(),
    /** True after its tracker was removed: it makes no tasks until it gets another one. */
    paused: integer({ mode: "boolean" }).notNull().default(false),
    // Folded copies (lower case, no diacritics) for search.
    label_folded: text().notNull(),
    description_folded: text().notNull(),
    address_folded: text().notNull(),
  },
  (table) => [
    // Contains the id implicitly, which lists are sorted by.
    index("task_schedule_account").on(table.account_id),
    // Serves sweepRemovedTrackers.
    index("task_schedule_account_tracker").on(table.account_id, table.tracker_id),
    // Serves requireAnySchedule.
    index("task_schedule_account_parent").on(table.account_id, table.parent_id, table.order),
    // A partial index cannot qualify columns by their table. Checkpoints are made together with their routes.
    // Serves selectDue.
    index("task_schedule_next_run").on(table.account_id, table.next_run).where(sql`NOT paused AND parent_id IS NULL`),
  ],
);
export type ScheduleRow = typeof taskSchedule.$inferSelect;
