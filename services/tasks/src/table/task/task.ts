import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";
import type { Location } from "#shared/operation/fields.ts";

/** A route is an ordered list of checkpoints, which are tasks that share its tracker. */
export const TYPES = ["task", "route", "checkpoint"] as const;
export const STATUSES = ["unassigned", "assigned", "done", "failed", "delayed", "arrived", "faulty"] as const;
export const ORIGINS = ["manual", "scheduled", "imported"] as const;

/** Work at a place within a time. Moments in UTC milliseconds, stays and delays in minutes. */
export const task = sqliteTable(
  "task",
  {
    // History and events keep ids: a deleted task's is never given out again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    revision: revisionColumn(),
    tracker_id: integer(),
    type: text({ enum: TYPES }).notNull(),
    /** A checkpoint's route, and its place there, from 0. */
    parent_id: integer(),
    order: integer(),
    label: text().notNull(),
    description: text().notNull(),
    /** Null for a route. */
    location: text({ mode: "json" }).$type<Location & { radius: number }>(),
    lat: real(),
    lng: real(),
    /** A route's are its first checkpoint's and its last one's. */
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
    /** Behind it, what is not completed has failed; a route has none of its own. */
    deadline: integer(),
    /** What generated it, for which day. */
    schedule_id: integer(),
    schedule_date: text(),
    // Without marks and in lower case: what is searched and sorted by.
    label_folded: text().notNull(),
    description_folded: text().notNull(),
    address_folded: text(),
    external_id_folded: text(),
  },
  (table) => [
    // End in the id by themselves, by which lists are sorted.
    index("task_account_type").on(table.account_id, table.type),
    index("task_account_tracker").on(table.account_id, table.tracker_id),
    index("task_account_external").on(table.account_id, table.external_id),
    index("task_account_parent").on(table.account_id, table.parent_id, table.order),
    // SQLite keeps NULLs apart: any number of tasks may be of no schedule.
    uniqueIndex("task_account_schedule").on(table.account_id, table.schedule_id, table.schedule_date),
    // Where trackers are expected, and until when; a route has no deadline.
    index("task_tracker_deadline")
      .on(table.account_id, table.tracker_id, table.deadline)
      .where(sql`deadline IS NOT NULL`),
    // What the clock may still fail. A partial index takes no name of a table.
    index("task_deadline").on(table.account_id, table.deadline).where(sql`status IN ('assigned', 'arrived')`),
  ],
);
export type TaskRow = typeof task.$inferSelect;

/** For the queries within an expression, where a column of the row would lose the name of its table. */
export const outerTask = {
  id: sql.raw('"task"."id"'),
  account_id: sql.raw('"task"."account_id"'),
  parent_id: sql.raw('"task"."parent_id"'),
};
