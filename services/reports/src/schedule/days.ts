import { Temporal } from "temporal-polyfill";
import { SECOND_MS } from "#shared/time/duration.ts";
import { findScheduledDay, startOfDay, toDay, toMoment, toNextDay } from "#shared/time/schedule-days.ts";
import type { ScheduleParameters } from "../table/report-schedule.ts";

/** The next moment after `now` at which the schedule's sending time comes on one of its days, in the zone. */
export function findNextRun({ schedule, sending_time }: ScheduleParameters, now: number, zone: string): number {
  const day = findScheduledDay(schedule, toDay(now, zone));
  const moment = toMoment(day, sending_time, zone);
  return moment > now ? moment : toMoment(findScheduledDay(schedule, toNextDay(day)), sending_time, zone);
}

/** The time range of a report that is made on this day: the whole days of the period before it, in the zone. */
export function rangeBefore(day: string, period: string, zone: string): { from: number; to: number } {
  const first = Temporal.PlainDate.from(day).subtract(durationOf(period));
  return { from: startOfDay(first.toString(), zone), to: startOfDay(day, zone) - SECOND_MS };
}

function durationOf(period: string): Temporal.DurationLike {
  const count = Number(period.slice(0, -1));
  return { [UNITS[period.slice(-1)] ?? "days"]: count };
}

const UNITS: Record<string, string> = { d: "days", w: "weeks", m: "months", y: "years" };
