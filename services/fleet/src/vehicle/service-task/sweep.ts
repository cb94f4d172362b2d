import type { NewEvent } from "#shared/contract/event.ts";
import type { ServiceNotice } from "#shared/contract/service-notice.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import { read } from "#shared/database/steps.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FleetEnv } from "../../env.ts";
import { countersOfAny } from "../../telemetry/counter/queries.ts";
import { selectAnyUsable } from "../../tracker/origin-queries.ts";
import { dueAfter, furthest, predictionOf, type Stage, stageByCounters, stageByDate } from "./life.ts";
import { positionOn, positionsOfAble } from "./position.ts";
import {
  type Guard,
  moveTasks,
  type NextLook,
  type OnVehicle,
  selectDue,
  selectLongestUnchecked,
} from "./sweep-queries.ts";

/** Moves tasks on by the clock and by the counters of their vehicles, accounts in turn. Twice at once, it moves each of them once. */
export async function sweepServiceTasks(env: FleetEnv) {
  const db = openDatabase(env);
  const now = nowMs(env);
  for (let part = 0; part < MOST_PARTS && (await sweepDates(db, now)) > 0; part++);
  for (let part = 0; part < MOST_PARTS && (await sweepCounters(env, db, now)) > 0; part++);
}

async function sweepDates(db: Database, now: number) {
  const found = await selectDue(db, now, SWEPT);
  const moves = found.map((one) => {
    const { checked_at, predicted_date } = one.task;
    return moveOf(one, stageByDate(one.task, now), { due_at: dueAfter(one.task, now), checked_at, predicted_date });
  });
  await move(db, moves, now);
  return found.length;
}

/** Those first that were looked at longest ago; each once in a sweep. */
async function sweepCounters(env: FleetEnv, db: Database, now: number) {
  const found = await selectLongestUnchecked(db, now, SWEPT);
  if (found.length === 0) return 0;
  const trackers = [...new Set(found.flatMap(({ tracker_id }) => tracker_id ?? []))];
  const { usable, counters } = await read(db, {
    usable: selectAnyUsable(db, trackers),
    counters: countersOfAny(db, trackers),
  });
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

type Move = OnVehicle & { to: Stage; next: NextLook };

/** Never back: what one condition has reached, another does not undo. */
function moveOf(found: OnVehicle, stage: Stage, next: NextLook): Move {
  const { status } = found.task;
  const to = status === "done" ? "expired" : furthest([status, stage]);
  return { ...found, to, next: to === "expired" ? { ...next, due_at: null, checked_at: null } : next };
}

/** What has changed since it was read is not moved, and nobody hears of it. */
async function move(db: Database, moves: Move[], now: number) {
  if (moves.length === 0) return;
  const changed = moves.filter(({ to, task }) => to !== task.status);
  await moveTasks(db, now, {
    tasks: moves.map((one) => ({ ...guardOf(one), to: one.to, ...one.next })),
    events: changed.flatMap((one) => (one.tracker_id === null ? [] : eventOf(one, one.tracker_id, now))),
    mails: changed.flatMap(mailsOf),
  });
}

function guardOf({ task }: OnVehicle): Guard {
  return { task_id: task.id, from: task.status, revision: task.revision };
}

function idOf({ task, to }: Move) {
  return `service_task-${task.id}-${task.revision}-${to}`;
}

function eventOf(one: Move, tracker_id: number, now: number): NewEvent & Guard {
  const { id: service_task_id, account_id, description: message, push_enabled } = one.task;
  const event = one.to === "expired" ? "service_task_expired" : "service_task_soon";
  return {
    ...guardOf(one),
    event_id: idOf(one),
    account_id,
    tracker_id,
    event,
    time: now,
    message,
    extra: { service_task_id },
    is_silent: !push_enabled,
  };
}

function mailsOf(one: Move): (Guard & { notice: ServiceNotice })[] {
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
