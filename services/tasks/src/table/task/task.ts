import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";
import type { Location } from "#shared/operation/fields.ts";

/** A route is an ordered list of checkpoints, which are tasks that share its tracker. */
export const TYPES = ["task", "route", "checkpoint"] as const;
export const STATUSES = ["unassigned", "assigned", "done", "failed", "delayed", "arrived", "faulty"] as const;
export const ORIGINS = ["manual", "scheduled", "imported"] as const;

/** Work at a place within a time range. Moments are in UTC milliseconds, stays and delays in minutes. */
export const task = sqliteTable(
  "task",
  {
    // History and events keep ids: a deleted task's id is never used again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    revision: revisionColumn(),
    tracker_id: integer(),
    type: text({ enum: TYPES }).notNull(),
    /** For a checkpoint: its route, and its position there, from 0. */
    parent_id: integer(),
    order: integer(),
    label: text().notNull(),
    description: text().notNull(),
    /** Null for a route. */
    location: text({ mode: "json" }).$type<Location & { radius: number }>(),
    lat: real(),
    lng: real(),
    /** A route has its first checkpoint's `from` and its last one's `to`. */
    from: integer().notNull(),
    to: integer().notNull(),
    external_id: text(),
    status: text({ enum: STATUSES }).notNull(),
    status_change_date: integer().notNull(),
    creation_date: integer().notNull(),
    max_delay: integer().notNull().default(0),
    min_stay_duration: integer().notNull().default(0),
    min_arrival_duration: integer().notNull().default(0),
    arrival_date: integer(),
    /** Seconds. */
    stay_duration: integer().notNull().default(0),
    origin: text({ enum: ORIGINS }).notNull(),
    /** After this moment an uncompleted task fails. Null for a route. */
    deadline: integer(),
    /** The schedule that made it, and for which day. */
    schedule_id: integer(),
    schedule_date: text(),
    // Folded copies (lower case, no diacritics) for search and sorting.
    label_folded: text().notNull(),
    description_folded: text().notNull(),
    address_folded: text(),
    external_id_folded: text(),
  },
  (table) => [
    // These indexes contain the id implicitly, which lists are sorted by.
    // Serves countVisibleTasks.
    index("task_account_type").on(table.account_id, table.type),
    // Serves sweepRemovedTrackers.
    index("task_account_tracker").on(table.account_id, table.tracker_id),
    // Serves countExternalIds.
    index("task_account_external").on(table.account_id, table.external_id),
    // Serves requireAnyTask.
    index("task_account_parent").on(table.account_id, table.parent_id, table.order),
    // SQLite treats NULLs as distinct: any number of tasks may have no schedule.
    uniqueIndex("task_account_schedule").on(table.account_id, table.schedule_id, table.schedule_date),
    // Finds the stops of a tracker; a route has no deadline.
    // Serves selectStops.
    index("task_tracker_deadline")
      .on(table.account_id, table.tracker_id, table.deadline)
      .where(sql`deadline IS NOT NULL`),
    // Finds tasks that the deadline sweep may fail. A partial index cannot qualify columns by their table.
    // Serves sweepDeadlines.
    index("task_deadline").on(table.account_id, table.deadline).where(sql`status IN ('assigned', 'arrived')`),
  ],
);
export type TaskRow = typeof task.$inferSelect;

/** Columns of the outer row for subqueries, where drizzle would leave out the name of the table. */
export const outerTask = {
  id: sql.raw('"task"."id"'),
  account_id: sql.raw('"task"."account_id"'),
  parent_id: sql.raw('"task"."parent_id"'),
};
