import { Temporal } from "temporal-polyfill";
import { readLocal, writeLocal } from "#shared/time/clock.ts";
import { SECOND_MS } from "#shared/time/duration.ts";
import type { Days, ScheduleParameters } from "../table/report-schedule.ts";

/** When the first of its days behind this moment comes to its hour, in the zone. */
export function nextRun({ schedule, sending_time }: ScheduleParameters, now: number, zone: string): number {
  let date = Temporal.PlainDate.from(dayOf(now, zone));
  // None has to wait longer than for the 31st behind two short months.
  for (let passed = 0; passed < LONGEST_WAIT_DAYS; passed++) {
    const moment = isOne(schedule, date) ? momentOn(date.toString(), sending_time, zone) : now;
    if (moment > now) return moment;
    date = date.add({ days: 1 });
  }
  throw new Error("a schedule has a day in any two months");
}

/** The whole days before this one that the period has, in the zone. */
export function rangeBefore(day: string, period: string, zone: string): { from: number; to: number } {
  const first = Temporal.PlainDate.from(day).subtract(durationOf(period));
  return { from: momentOn(first.toString(), MIDNIGHT, zone), to: momentOn(day, MIDNIGHT, zone) - SECOND_MS };
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

function durationOf(period: string): Temporal.DurationLike {
  const count = Number(period.slice(0, -1));
  return { [UNITS[period.slice(-1)] ?? "days"]: count };
}

function isOne(days: Days, { dayOfWeek, day }: Temporal.PlainDate) {
  return days.type === "weekdays" ? days.weekdays.includes(dayOfWeek) : days.month_days.includes(day);
}

const UNITS: Record<string, string> = { d: "days", w: "weeks", m: "months", y: "years" };
const MIDNIGHT = "00:00:00";
const LONGEST_WAIT_DAYS = 63;
