import type { NewEvent } from "#shared/contract/event/event.ts";
import type { ServiceNotice } from "#shared/contract/event/service-notice.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import { read } from "#shared/database/steps.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FleetEnv } from "../../env.ts";
import { selectAnyCounterRows } from "../../telemetry/counter/queries.ts";
import { selectAnyUsable } from "../../tracker/origin-queries.ts";
import { counterStateOn, readAvailableCounterStates } from "./counter-state.ts";
import { furthestStage, nextDueAt, predict, type Stage, stageByCounters, stageByDate } from "./stage.ts";
import {
  type NextCheck,
  selectDueTasks,
  selectUncheckedTasks,
  storeTransitions,
  type TaskOnVehicle,
  type TaskVersion,
} from "./sweep-queries.ts";

/** Changes the status of tasks by date and by counters; accounts alternate. Concurrent sweeps change each task once. */
export async function sweepServiceTasks(env: FleetEnv) {
  const db = openDatabase(env);
  const now = nowMs(env);
  for (let batch = 0; batch < MAX_BATCHES_PER_SWEEP && (await sweepDates(db, now)) > 0; batch++);
  for (let part = 0; part < MAX_BATCHES_PER_SWEEP && (await sweepCounters(env, db, now)) > 0; part++);
}

async function sweepDates(db: Database, now: number) {
  const found = await selectDueTasks(db, now, MAX_TASKS_PER_BATCH);
  const transitions = found.map((one) => {
    const { checked_at, predicted_date } = one.task;
    return transitionOf(one, stageByDate(one.task, now), {
      due_at: nextDueAt(one.task, now),
      checked_at,
      predicted_date,
    });
  });
  await applyTransitions(db, transitions, now);
  return found.length;
}

/** Compares tasks with their counters, longest unchecked first, each once in a sweep. */
async function sweepCounters(env: FleetEnv, db: Database, now: number) {
  const found = await selectUncheckedTasks(db, now, MAX_TASKS_PER_BATCH);
  if (found.length === 0) return 0;
  const trackers = [...new Set(found.flatMap(({ tracker_id }) => tracker_id ?? []))];
  const { usable, counters } = await read(db, {
    usable: selectAnyUsable(db, trackers),
    counters: selectAnyCounterRows(db, trackers),
  });
  const counterStates = await readAvailableCounterStates(env, usable, counters);
  const transitions = found.map((one) => {
    const { task, tracker_id } = one;
    const counterState = counterStateOn(counterStates, tracker_id);
    const predicted_date = predict(task, counterState, now).end_date;
    return transitionOf(one, stageByCounters(task, counterState), {
      due_at: task.due_at,
      checked_at: now,
      predicted_date,
    });
  });
  await applyTransitions(db, transitions, now);
  return found.length;
}

type Transition = TaskOnVehicle & { to: Stage; next: NextCheck };

/** The status never goes back: a stage reached by one condition stays whatever the others show. */
function transitionOf(found: TaskOnVehicle, stage: Stage, next: NextCheck): Transition {
  const { status } = found.task;
  const to = status === "done" ? "expired" : furthestStage([status, stage]);
  return { ...found, to, next: to === "expired" ? { ...next, due_at: null, checked_at: null } : next };
}

/** Stores the transitions; tasks that changed since they were read are skipped, without event and mail. */
async function applyTransitions(db: Database, transitions: Transition[], now: number) {
  if (transitions.length === 0) return;
  const changed = transitions.filter(({ to, task }) => to !== task.status);
  await storeTransitions(db, now, {
    tasks: transitions.map((one) => ({ ...versionOf(one), to: one.to, ...one.next })),
    events: changed.flatMap((one) => (one.tracker_id === null ? [] : eventOf(one, one.tracker_id, now))),
    mails: changed.flatMap(mailsOf),
  });
}

function versionOf({ task }: TaskOnVehicle): TaskVersion {
  return { task_id: task.id, from: task.status, revision: task.revision };
}

function idOf({ task, to }: Transition) {
  return `service_task-${task.id}-${task.revision}-${to}`;
}

function eventOf(one: Transition, tracker_id: number, now: number): NewEvent & TaskVersion {
  const { id: service_task_id, account_id, description: message, push_enabled } = one.task;
  const event = one.to === "expired" ? "service_task_expired" : "service_task_soon";
  return {
    ...versionOf(one),
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

function mailsOf(one: Transition): (TaskVersion & { notice: ServiceNotice })[] {
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
    ...versionOf(one),
  }));
}

function endOf(start: number | null, limit: number | null) {
  return start === null || limit === null ? null : start + limit;
}

const MAX_TASKS_PER_BATCH = 500;
/** Further tasks wait for the next sweep. */
const MAX_BATCHES_PER_SWEEP = 10;
