import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { eventOutbox } from "../table/outbox/event-outbox.ts";
import { task } from "../table/task/task.ts";
import { EVENT_EXTRA } from "./completion-queries.ts";
import { insertHistory } from "./history/record-queries.ts";

/**
 * Fails tasks whose deadline has passed, round robin over accounts. Safe to run twice at once. `deliver` runs after each
 * transaction, so that its events do not wait for those after it.
 */
export async function sweepDeadlines(
  db: Database,
  now: number,
  deliver: () => Promise<unknown> = async () => undefined,
) {
  for (let index = 0; index < MAX_TRANSACTIONS_PER_SWEEP && (await failBatch(db, now)) > 0; index++) await deliver();
}

/** One transaction: each statement picks the same rows, until the last one changes them. */
async function failBatch(db: Database, now: number) {
  const ids = selectDueByAccount({ ...WAITING_TASKS, isDue: sql`deadline < ${now}` }, MAX_TASKS_PER_TRANSACTION);
  const isLate = sql`${task.id} IN (${ids})`;
  const { failed } = await write(db, {
    routes: Object.values(failureSteps(db, now, isRouteEndingWith(ids))),
    ...failureSteps(db, now, isLate),
  });
  return failed.length;
}

/**
 * Fails the route when its other checkpoints have ended and one of them failed. Runs before the statement that removes
 * the checkpoint.
 */
export function failRouteWithout(db: Database, now: number, checkpoint: SQL) {
  const hasFailed = sql`EXISTS (SELECT 1 FROM ${task} AS due WHERE ${due.account_id} = ${task.account_id}
    AND ${due.parent_id} = ${task.id} AND ${due.status} = 'failed')`;
  return Object.values(failureSteps(db, now, and(isRouteEndingWith(checkpoint), hasFailed)));
}

/**
 * Stores the event, the history and the status, in this order: the last statement changes the rows that the condition
 * finds.
 */
function failureSteps(db: Database, now: number, condition: SQL | undefined) {
  const payload = sql`json_object('status', 'failed')`;
  return {
    events: insertFailedEvents(db, now, condition),
    history: insertHistory(db, { action_date: now }, "status_change", payload, condition),
    failed: db
      .update(task)
      .set({ status: "failed", status_change_date: now })
      .where(condition)
      .returning({ id: task.id }),
  };
}

/** True for the routes of these checkpoints that have no other open checkpoint. */
function isRouteEndingWith(late: SQL): SQL | undefined {
  const routes = sql`SELECT ${due.parent_id} FROM ${task} AS due WHERE ${due.id} IN (${late})`;
  const open = sql`SELECT 1 FROM ${task} AS due WHERE ${due.account_id} = ${task.account_id} AND ${due.parent_id} = ${task.id}
    AND ${due.status} IN ('unassigned', 'assigned', 'arrived') AND ${due.id} NOT IN (${late})`;
  return and(eq(task.type, "route"), sql`${task.id} IN (${routes})`, sql`NOT EXISTS (${open})`);
}

/** Every failed task has a tracker: others have no deadline to miss. */
function insertFailedEvents(db: Database, now: number, condition: SQL | undefined) {
  return db
    .insert(eventOutbox)
    .select(
      sql`SELECT 'task-' || ${task.id} || '-failed', ${task.account_id}, json_object('event_id', 'task-' || ${task.id} || '-failed',
          'account_id', ${task.account_id}, 'tracker_id', ${task.tracker_id}, 'event', ${task.type} || '_failed',
          'time', CAST(${now} AS INTEGER), 'message', ${task.label}, 'extra', ${EVENT_EXTRA})
        FROM ${task} WHERE ${condition} ORDER BY ${task.id}`,
    )
    .onConflictDoNothing();
}

const due = alias(task, "due");
const WAITING_TASKS = { table: task, isWaiting: sql`status IN ('assigned', 'arrived')`, order: sql`deadline` };
const MAX_TASKS_PER_TRANSACTION = 500;
/** Bounds one sweep; the next one goes on. */
const MAX_TRANSACTIONS_PER_SWEEP = 10;
