import { Temporal } from "temporal-polyfill";
import { readLocal, writeLocal } from "./clock.ts";

/** The days of a schedule: weekdays from 1 (Monday), or days of the month from 1. */
export type ScheduleDays = { type: "weekdays"; weekdays: number[] } | { type: "month_days"; month_days: number[] };

/** The first scheduled day (`yyyy-MM-dd`) from this day on; days that a month lacks are skipped. */
export function findScheduledDay(days: ScheduleDays, from: string): string {
  let date = Temporal.PlainDate.from(from);
  for (let waited = 0; waited < MAX_WAIT_DAYS; waited++) {
    if (isScheduled(days, date)) return date.toString();
    date = date.add({ days: 1 });
  }
  throw new Error("A schedule has a day in any two months.");
}

export function toNextDay(day: string): string {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toString();
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

/** The first moment of the day in the zone. */
export function startOfDay(day: string, zone: string): number {
  return toMoment(day, MIDNIGHT, zone);
}

function isScheduled(days: ScheduleDays, { dayOfWeek, day }: Temporal.PlainDate) {
  return days.type === "weekdays" ? days.weekdays.includes(dayOfWeek) : days.month_days.includes(day);
}

const MIDNIGHT = "00:00:00";
/** The longest wait is for the 31st after two shorter months. */
const MAX_WAIT_DAYS = 63;
