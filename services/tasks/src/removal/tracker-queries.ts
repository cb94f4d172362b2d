import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { RemovedTracker } from "#shared/contract/tasks.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { recordEachChange } from "../outbox/audit.ts";
import { taskSchedule } from "../table/schedule/task-schedule.ts";
import { task } from "../table/task/task.ts";
import { removedTracker } from "../table/tracker/removed-tracker.ts";
import { insertMoveHistory } from "../task/queries.ts";

/**
 * Remembers removed trackers, so that nothing is assigned to them any more, and unassigns as many of their tasks and
 * schedules as one transaction takes.
 */
export async function storeRemovedTrackers(db: Database, trackers: RemovedTracker[], now: number) {
  if (trackers.length === 0) return;
  const eachTracker = sql`json_each(${JSON.stringify(trackers)})`;
  const remembered = db
    .insert(removedTracker)
    .select(sql`SELECT value ->> 'tracker_id', value ->> 'account_id', TRUE FROM ${eachTracker} WHERE TRUE`)
    .onConflictDoNothing();
  await write(db, { remembered, ...unassignmentSteps(db, now) });
}

/** Unassigns the remaining tasks and schedules of removed trackers. Safe to run twice at once. */
export async function sweepRemovedTrackers(db: Database, now: number) {
  for (let index = 0; index < MAX_TRANSACTIONS_PER_SWEEP && (await unassignSome(db, now)) > 0; index++);
}

async function unassignSome(db: Database, now: number) {
  const { isPending } = await write(db, {
    ...unassignmentSteps(db, now),
    isPending: db.select({ tracker_id: removedTracker.tracker_id }).from(removedTracker).where(sql`pending`).limit(1),
  });
  return isPending.length;
}

/** Each statement picks the same rows, until the update changes them. */
function unassignmentSteps(db: Database, now: number) {
  // Trackers without tasks and schedules are done first: they would take a share of the rows.
  return {
    unused: clearPending(db),
    tasks: unassignTasks(db, now),
    schedules: pauseSchedules(db, now),
    cleared: clearPending(db),
  };
}

/** Open tasks become unassigned; finished ones keep their status. */
function unassignTasks(db: Database, now: number) {
  const isPicked = isDueRow(task);
  const isOpen = sql`${task.status} IN ('assigned', 'arrived')`;
  const status = sql`iif(${isOpen}, 'unassigned', ${task.status})`;
  return [
    ...insertMoveHistory(db, { action_date: now }, { tracker_id: sql`NULL`, status }, isPicked),
    db
      .update(task)
      .set({
        tracker_id: null,
        status,
        status_change_date: sql`iif(${isOpen}, ${now}, ${task.status_change_date})`,
        arrival_date: sql`iif(${isOpen}, NULL, ${task.arrival_date})`,
        stay_duration: sql`iif(${isOpen}, 0, ${task.stay_duration})`,
      })
      .where(isPicked),
  ];
}

function pauseSchedules(db: Database, now: number) {
  const isPicked = isDueRow(taskSchedule);
  const entries = sql`SELECT ${taskSchedule.id} AS id, ${taskSchedule.account_id} AS account_id,
    json_object('label', ${taskSchedule.label}, 'tracker_id', ${taskSchedule.tracker_id}) AS payload
    FROM ${taskSchedule} WHERE ${isPicked} AND ${taskSchedule.type} <> 'checkpoint'`;
  // The account 0: no user of the account did this.
  const actor = { account_id: 0, user_id: 0, host: "", user_agent: "", action_date: now };
  return [
    recordEachChange(db, actor, { is: ["task_schedule", "pause"], account_id: sql`thing.account_id` }, entries),
    db.update(taskSchedule).set({ tracker_id: null, paused: true }).where(isPicked),
  ];
}

function clearPending(db: Database) {
  return db
    .update(removedTracker)
    .set({ pending: false })
    .where(sql`pending AND NOT EXISTS (${selectWorkOf(task)}) AND NOT EXISTS (${selectWorkOf(taskSchedule)})`);
}

type TrackerTable = SQLiteTable & { id: SQLiteColumn; account_id: SQLiteColumn; tracker_id: SQLiteColumn };

/**
 * True for a bounded number of rows of removed trackers: round robin over accounts, with an equal share for each
 * tracker.
 */
function isDueRow(table: TrackerTable): SQL {
  const pending = { table: removedTracker, isWaiting: sql`pending`, isDue: sql`TRUE`, order: sql`tracker_id` };
  return sql`${table.id} IN (WITH due_tracker AS MATERIALIZED (SELECT tracker_id, account_id FROM ${removedTracker}
      WHERE tracker_id IN (${selectDueByAccount(pending, MAX_TRACKERS_PER_TRANSACTION)}))
    SELECT id FROM due_tracker CROSS JOIN ${table} AS thing ON thing.id IN (SELECT id FROM ${table} AS held
      WHERE held.account_id = due_tracker.account_id AND held.tracker_id = due_tracker.tracker_id
      ORDER BY id LIMIT (SELECT ${MAX_ROWS_PER_TRANSACTION} / count(*) FROM due_tracker)))`;
}

function selectWorkOf(table: TrackerTable): SQL {
  return sql`SELECT 1 FROM ${table} AS thing WHERE thing.account_id = ${removedTracker.account_id}
    AND thing.tracker_id = ${removedTracker.tracker_id}`;
}

const MAX_ROWS_PER_TRANSACTION = 500;
const MAX_TRACKERS_PER_TRANSACTION = 20;
/** Bounds one sweep; the next one goes on. */
const MAX_TRANSACTIONS_PER_SWEEP = 20;
