import { Temporal } from "temporal-polyfill";
import { readLocal, writeLocal } from "#shared/time/clock.ts";
import type { Parameters } from "../table/task-schedule.ts";

/** When the next of its days begins in the zone; the one that runs has begun already. */
export function nextRun(parameters: Parameters, now: number, zone: string): number {
  return beginningOf(dayAfter(parameters, dayOf(now, zone)), zone);
}

export function beginningOf(day: string, zone: string): number {
  return momentOn(day, MIDNIGHT, zone);
}

/** The day `yyyy-MM-dd` that the moment falls on in the zone. */
export function dayOf(ms: number, zone: string): string {
  return writeLocal(ms, zone).slice(0, 10);
}

/** In a gap the time moves forward, in an overlap the earlier moment is meant. */
export function momentOn(day: string, time: string, zone: string): number {
  const moment = readLocal(`${day} ${time}`, zone);
  if (moment === undefined) throw new Error("a day and a time were expected");
  return moment;
}

/** The first of the days behind this one; a day that a month lacks is passed over. */
function dayAfter(parameters: Parameters, day: string): string {
  let date = Temporal.PlainDate.from(day).add({ days: 1 });
  // None has to wait longer than for the 31st behind two short months.
  for (let passed = 0; passed < 62 && !isOne(parameters, date); passed++) date = date.add({ days: 1 });
  return date.toString();
}

function isOne(parameters: Parameters, { dayOfWeek, day }: Temporal.PlainDate) {
  return parameters.type === "weekdays" ? parameters.weekdays.includes(dayOfWeek) : parameters.month_days.includes(day);
}

const MIDNIGHT = "00:00:00";
