import { Temporal } from "temporal-polyfill";
import { readLocal, writeLocal } from "#shared/time/clock.ts";
import type { ScheduleDays } from "../table/schedule/task-schedule.ts";

/**
 * The beginning of the next scheduled day after `now` in the zone; the current day has begun already and does not
 * count.
 */
export function findNextRun(parameters: ScheduleDays, now: number, zone: string): number {
  return startOfDay(findDayAfter(parameters, toDay(now, zone)), zone);
}

export function startOfDay(day: string, zone: string): number {
  return toMoment(day, MIDNIGHT, zone);
}

/** The day `yyyy-MM-dd` that the moment falls on in the zone. */
export function toDay(ms: number, zone: string): string {
  return writeLocal(ms, zone).slice(0, 10);
}

/** A time in a gap of the zone moves forward; in an overlap it is the earlier moment. */
export function toMoment(day: string, time: string, zone: string): number {
  const moment = readLocal(`${day} ${time}`, zone);
  if (moment === undefined) throw new Error("a day and a time were expected");
  return moment;
}

/** The first scheduled day after this one; days that a month lacks are skipped. */
function findDayAfter(parameters: ScheduleDays, day: string): string {
  let date = Temporal.PlainDate.from(day).add({ days: 1 });
  // The longest wait is for the 31st after two shorter months.
  for (let passed = 0; passed < 62 && !isScheduled(parameters, date); passed++) date = date.add({ days: 1 });
  return date.toString();
}

function isScheduled(parameters: ScheduleDays, { dayOfWeek, day }: Temporal.PlainDate) {
  return parameters.type === "weekdays" ? parameters.weekdays.includes(dayOfWeek) : parameters.month_days.includes(day);
}

const MIDNIGHT = "00:00:00";
