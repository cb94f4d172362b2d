import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { eventOutbox } from "../table/event-outbox.ts";
import { task } from "../table/task.ts";
import { EXTRA } from "./completion-queries.ts";
import { keepHistory } from "./history/record-queries.ts";

/** Fails what was not completed in time, accounts in turn. Twice at once, it fails each task once. */
export async function sweepDeadlines(db: Database, now: number) {
  for (let part = 0; part < MOST_PARTS && (await failSome(db, now)) > 0; part++);
}

/** One transaction: what it picks is the same in each of its statements, until the last one changes it. */
async function failSome(db: Database, now: number) {
  const ids = selectDueByAccount({ ...WAITING, isDue: sql`deadline < ${now}` }, FAILED);
  const isLate = sql`${task.id} IN (${ids})`;
  const { failed } = await write(db, {
    routes: Object.values(fail(db, now, isLast(ids))),
    ...fail(db, now, isLate),
  });
  return failed.length;
}

/** In front of the statement that takes the checkpoint away: its route, if what is left of it is over and has failed. */
export function failWithout(db: Database, now: number, checkpoint: SQL) {
  const hasFailed = sql`EXISTS (SELECT 1 FROM ${task} AS due WHERE ${due.account_id} = ${task.account_id}
    AND ${due.parent_id} = ${task.id} AND ${due.status} = 'failed')`;
  return Object.values(fail(db, now, and(isLast(checkpoint), hasFailed)));
}

/** The event, the history and the status, in which the condition still finds what it found in the first. */
function fail(db: Database, now: number, condition: SQL | undefined) {
  const payload = sql`json_object('status', 'failed')`;
  return {
    events: tellFailed(db, now, condition),
    history: keepHistory(db, { action_date: now }, "status_change", payload, condition),
    failed: db
      .update(task)
      .set({ status: "failed", status_change_date: now })
      .where(condition)
      .returning({ id: task.id }),
  };
}

/** The routes of these checkpoints that have no other one to be completed. */
function isLast(late: SQL): SQL | undefined {
  const routes = sql`SELECT ${due.parent_id} FROM ${task} AS due WHERE ${due.id} IN (${late})`;
  const open = sql`SELECT 1 FROM ${task} AS due WHERE ${due.account_id} = ${task.account_id} AND ${due.parent_id} = ${task.id}
    AND ${due.status} IN ('unassigned', 'assigned', 'arrived') AND ${due.id} NOT IN (${late})`;
  return and(eq(task.type, "route"), sql`${task.id} IN (${routes})`, sql`NOT EXISTS (${open})`);
}

/** What failed has a tracker: nothing else has a deadline to miss. */
function tellFailed(db: Database, now: number, condition: SQL | undefined) {
  return db
    .insert(eventOutbox)
    .select(
      sql`SELECT 'task-' || ${task.id} || '-failed', ${task.account_id}, json_object('event_id', 'task-' || ${task.id} || '-failed',
          'account_id', ${task.account_id}, 'tracker_id', ${task.tracker_id}, 'event', ${task.type} || '_failed',
          'time', CAST(${now} AS INTEGER), 'message', ${task.label}, 'extra', ${EXTRA})
        FROM ${task} WHERE ${condition} ORDER BY ${task.id}`,
    )
    .onConflictDoNothing();
}

const due = alias(task, "due");
const WAITING = { table: task, isWaiting: sql`status IN ('assigned', 'arrived')`, order: sql`deadline` };
const FAILED = 500;
/** In one sweep; the rest has its turn in the next. */
const MOST_PARTS = 10;
