import { asc, lt, lte, sql } from "drizzle-orm";
import type { NewEvent } from "#shared/contract/event.ts";
import type { ServiceNotice } from "#shared/contract/service-notice.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FleetEnv } from "../../env.ts";
import { storeEvents } from "../../history/event-queries.ts";
import { mailOutbox } from "../../table/mail-outbox.ts";
import { type ServiceTaskRow, serviceTask } from "../../table/service-task.ts";
import { countersOfAny } from "../../telemetry/counter/queries.ts";
import { selectAnyUsable } from "../../tracker/origin-queries.ts";
import { dueAfter, furthest, predictionOf, type Stage, stageByCounters, stageByDate } from "./life.ts";
import { positionOn, positionsOfAble } from "./position.ts";
import { withVehicle } from "./queries.ts";

/** Moves tasks on by the clock and by the counters of their vehicles. Twice at once, it moves each of them once. */
export async function sweepServiceTasks(env: FleetEnv) {
  const db = openDatabase(env);
  const now = nowMs(env);
  for (let part = 0; part < MOST_PARTS && (await sweepDates(db, now)) === SWEPT; part++);
  for (let part = 0; part < MOST_PARTS && (await sweepCounters(env, db, now)) === SWEPT; part++);
}

async function sweepDates(db: Database, now: number) {
  const found = await withVehicle(db).where(lte(serviceTask.due_at, now)).orderBy(asc(serviceTask.due_at)).limit(SWEPT);
  const moves = found.map((one) => {
    const { checked_at, predicted_date } = one.task;
    return moveOf(one, stageByDate(one.task, now), { due_at: dueAfter(one.task, now), checked_at, predicted_date });
  });
  await move(db, moves, now);
  return found.length;
}

/** Those first that were looked at longest ago; each once in a sweep. */
async function sweepCounters(env: FleetEnv, db: Database, now: number) {
  const found = await withVehicle(db)
    .where(lt(serviceTask.checked_at, now))
    .orderBy(asc(serviceTask.checked_at))
    .limit(SWEPT);
  const trackers = [...new Set(found.flatMap(({ tracker_id }) => tracker_id ?? []))];
  const [usable, counters] = await db.batch([selectAnyUsable(db, trackers), countersOfAny(db, trackers)]);
  const positions = await positionsOfAble(env, usable, counters);
  const moves = found.map((one) => {
    const { task, tracker_id } = one;
    const position = positionOn(positions, tracker_id);
    const predicted_date = predictionOf(task, position, now).end_date;
    return moveOf(one, stageByCounters(task, position), { due_at: task.due_at, checked_at: now, predicted_date });
  });
  await move(db, moves, now);
  return found.length;
}

type Found = Awaited<ReturnType<ReturnType<typeof withVehicle>["execute"]>>[number];
type Next = Pick<ServiceTaskRow, "due_at" | "checked_at" | "predicted_date">;
type Move = Found & { to: Stage; next: Next };

/** Never back: what one condition has reached, another does not undo. */
function moveOf(found: Found, stage: Stage, next: Next): Move {
  const { status } = found.task;
  const to = status === "done" ? "expired" : furthest([status, stage]);
  return { ...found, to, next: to === "expired" ? { ...next, due_at: null, checked_at: null } : next };
}

/** One transaction: what has changed since it was read is not moved, and nobody hears of it. */
async function move(db: Database, moves: Move[], now: number) {
  if (moves.length === 0) return;
  const given = sql`json_each(${JSON.stringify(moves.map((one) => ({ ...guardOf(one), to: one.to, ...one.next })))}) AS move`;
  const changed = moves.filter(({ to, task }) => to !== task.status);
  const events = changed.flatMap((one) => (one.tracker_id === null ? [] : eventOf(one, one.tracker_id, now)));
  const mails = changed.flatMap(mailsOf);
  await db.batch([
    storeEvents(db, events, now, stillIs(sql`told`)),
    db
      .insert(mailOutbox)
      .select(
        sql`SELECT told.value ->> '$.notice.id', told.value ->> '$.notice.account_id', told.value -> '$.notice'
          FROM json_each(${JSON.stringify(mails)}) AS told WHERE ${stillIs(sql`told`)}`,
      )
      .onConflictDoNothing(),
    db.run(
      sql`UPDATE ${serviceTask} SET status = move.value ->> 'to', due_at = move.value ->> 'due_at',
          checked_at = move.value ->> 'checked_at', predicted_date = move.value ->> 'predicted_date'
        FROM ${given} WHERE ${serviceTask.id} = move.value ->> 'task_id'
          AND ${serviceTask.status} = move.value ->> 'from' AND ${serviceTask.revision} = move.value ->> 'revision'`,
    ),
  ]);
}

/** That the task of the JSON object is as it was read. */
function stillIs(told: ReturnType<typeof sql>) {
  return sql`EXISTS (SELECT 1 FROM ${serviceTask} AS task WHERE task.id = ${told}.value ->> 'task_id'
    AND task.status = ${told}.value ->> 'from' AND task.revision = ${told}.value ->> 'revision')`;
}

function guardOf({ task }: Found) {
  return { task_id: task.id, from: task.status, revision: task.revision };
}

function idOf({ task, to }: Move) {
  return `service_task-${task.id}-${task.revision}-${to}`;
}

function eventOf(one: Move, tracker_id: number, now: number): NewEvent {
  const { id: service_task_id, account_id, description: message, push_enabled } = one.task;
  const event = one.to === "expired" ? "service_task_expired" : "service_task_soon";
  const what = {
    event_id: idOf(one),
    account_id,
    tracker_id,
    event,
    time: now,
    message,
    extra: { service_task_id },
    is_silent: !push_enabled,
  } as const;
  return Object.assign(what, guardOf(one));
}

function mailsOf(one: Move): ({ notice: ServiceNotice } & ReturnType<typeof guardOf>)[] {
  const { task, vehicle_label, to: status } = one;
  if (status === "created") return [];
  const end = {
    mileage: endOf(task.start_mileage, task.mileage_limit),
    engine_hours: endOf(task.start_hours, task.hours_limit),
    date: task.date_end,
  };
  const { account_id, description, comment } = task;
  const notice = { account_id, status, vehicle_label, description, comment, end };
  return [...new Set(task.emails)].map((to, index) => ({
    notice: { id: `${idOf(one)}-${index}`, to, ...notice },
    ...guardOf(one),
  }));
}

function endOf(start: number | null, limit: number | null) {
  return start === null || limit === null ? null : start + limit;
}

const SWEPT = 500;
/** In one sweep; the rest has its turn in the next. */
const MOST_PARTS = 10;
