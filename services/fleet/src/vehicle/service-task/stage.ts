import { Temporal } from "temporal-polyfill";
import type { ServiceTaskRow } from "../../table/vehicle/service-task.ts";

/** The values of a vehicle's counters; null when a counter has none. */
export type CounterValues = { mileage: number | null; engine_hours: number | null };
export const NO_VALUES: CounterValues = { mileage: null, engine_hours: null };

/** The conditions of a task and the counter values at its start. */
export type TaskProgress = Pick<
  ServiceTaskRow,
  | "mileage_limit"
  | "mileage_notification"
  | "hours_limit"
  | "hours_notification"
  | "date_end"
  | "notify_at"
  | "start_mileage"
  | "start_hours"
  | "start_date"
>;
export type Stage = "created" | "notified" | "expired";

/** The stage of a task by its counters: the furthest of its conditions decides. */
export function stageByCounters(task: TaskProgress, values: CounterValues): Stage {
  return furthestStage(knownConditionsOf(task, values).map(stageOf));
}

/** The stage of a task by its date. */
export function stageByDate({ date_end, notify_at }: Pick<TaskProgress, "date_end" | "notify_at">, now: number): Stage {
  if (date_end === null || notify_at === null) return "created";
  return now > date_end ? "expired" : now >= notify_at ? "notified" : "created";
}

/** When the date next changes the stage; null: never. */
export function nextDueAt({ date_end, notify_at }: Pick<TaskProgress, "date_end" | "notify_at">, now: number) {
  if (date_end === null || notify_at === null || now > date_end) return null;
  return now < notify_at ? notify_at : date_end + 1;
}

export function furthestStage(stages: Stage[]): Stage {
  return stages.includes("expired") ? "expired" : stages.includes("notified") ? "notified" : "created";
}

/**
 * When the first condition is reached if the vehicle is used as before, and the largest used-up share of a condition in
 * percent.
 */
export function predict(task: TaskProgress, values: CounterValues, now: number) {
  const conditions = knownConditionsOf(task, values);
  const elapsedMs = Math.max(now - task.start_date, 1);
  const ends = conditions.flatMap(({ start, limit, current }) =>
    current > start ? task.start_date + (limit * elapsedMs) / (current - start) : [],
  );
  const wear = conditions.map(({ start, limit, current }) => (current - start) / limit);
  if (task.date_end !== null) {
    ends.push(task.date_end);
    wear.push((now - task.start_date) / Math.max(task.date_end - task.start_date, 1));
  }
  const end = Math.round(Math.min(...ends));
  return {
    end_date: end <= MAX_TIME_MS ? end : null,
    wear_percentage: Math.min(Math.max(0, Math.round(100 * Math.max(0, ...wear))), MAX_WEAR_PERCENT),
  };
}

/** Adds days of the zone's calendar; the local time of day stays. */
export function addDays(ms: number, days: number, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).add({ days }).epochMilliseconds;
}

/** When the user is notified of the date's end; null without a date. */
export function notifyAt(date_end: number | null, date_notification: number | null, zone: string) {
  return date_end === null ? null : addDays(date_end, -(date_notification ?? 0), zone);
}

/** The computed columns of a task that starts now with these counter values. */
export function newTaskColumns<
  Conditions extends Omit<TaskProgress, "notify_at" | "start_mileage" | "start_hours" | "start_date"> & Days,
>(conditions: Conditions, values: CounterValues, now: number, zone: string) {
  const notify_at = notifyAt(conditions.date_end, conditions.date_notification, zone);
  const columns = {
    ...conditions,
    notify_at,
    start_mileage: values.mileage,
    start_hours: values.engine_hours,
    start_date: now,
  };
  return { ...columns, ...sweepColumns(columns, values, now) };
}
type Days = Pick<ServiceTaskRow, "date_notification">;

/** The columns by which the sweeps find a task in status `created`. */
export function sweepColumns(task: TaskProgress, values: CounterValues, now: number) {
  return {
    // The next sweep finds tasks that are due already.
    due_at: task.notify_at,
    checked_at: task.mileage_limit === null && task.hours_limit === null ? null : now,
    predicted_date: predict(task, values, now).end_date,
  };
}

/** The conditions of the task that follows a completed one; dates count from `now`. */
export function followingConditions(task: ServiceTaskRow, now: number, zone: string) {
  const { date_end, date_repeat, start_date } = task;
  const next = date_repeat === null ? now + Math.max((date_end ?? 0) - start_date, 0) : addDays(now, date_repeat, zone);
  return {
    mileage_limit: task.mileage_limit === null ? null : (task.mileage_repeat ?? task.mileage_limit),
    hours_limit: task.hours_limit === null ? null : (task.hours_repeat ?? task.hours_limit),
    date_end: date_end === null ? null : Math.min(next, MAX_TIME_MS),
  };
}

type CounterCondition = { start: number; limit: number; notification: number; current: number };

/** The conditions whose counter has a value now and had one at the start. */
function knownConditionsOf(task: TaskProgress, { mileage, engine_hours }: CounterValues): CounterCondition[] {
  return [
    toConditions(task.start_mileage, task.mileage_limit, task.mileage_notification, mileage),
    toConditions(task.start_hours, task.hours_limit, task.hours_notification, engine_hours),
  ].flat();
}

function toConditions(start: number | null, limit: number | null, notification: number | null, current: number | null) {
  if (start === null || limit === null || current === null) return [];
  return [{ start, limit, notification: notification ?? 0, current }];
}

function stageOf({ start, limit, notification, current }: CounterCondition): Stage {
  // Rounded to millimeters: sums of fractions are inexact.
  const left = Math.round((start + limit - current) * 1e6) / 1e6;
  return left < 0 ? "expired" : left <= notification ? "notified" : "created";
}

/** The end of the year 9999. */
const MAX_TIME_MS = 253_402_300_799_000;
const MAX_WEAR_PERCENT = 1_000_000;
