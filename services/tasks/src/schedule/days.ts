import { Temporal } from "temporal-polyfill";
import { readLocal, writeLocal } from "#shared/time/clock.ts";
import type { ScheduleDays } from "../table/schedule/task-schedule.ts";

/** When the next of its days begins in the zone; the one that runs has begun already. */
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

/** In a gap the time moves forward, in an overlap the earlier moment is meant. */
export function toMoment(day: string, time: string, zone: string): number {
  const moment = readLocal(`${day} ${time}`, zone);
  if (moment === undefined) throw new Error("a day and a time were expected");
  return moment;
}

/** The first of the days behind this one; a day that a month lacks is passed over. */
function findDayAfter(parameters: ScheduleDays, day: string): string {
  let date = Temporal.PlainDate.from(day).add({ days: 1 });
  // None has to wait longer than for the 31st behind two short months.
  for (let passed = 0; passed < 62 && !isScheduled(parameters, date); passed++) date = date.add({ days: 1 });
  return date.toString();
}

function isScheduled(parameters: ScheduleDays, { dayOfWeek, day }: Temporal.PlainDate) {
  return parameters.type === "weekdays" ? parameters.weekdays.includes(dayOfWeek) : parameters.month_days.includes(day);
}

const MIDNIGHT = "00:00:00";
