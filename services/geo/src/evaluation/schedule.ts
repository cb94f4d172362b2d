import { writeLocal } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { Interval, WeekTime } from "../table/rule.ts";

/** Whether a moment is within one of the intervals, both ends included; without any, always. */
export function isWithin(schedule: Interval[], ms: number, time_zone: string): boolean {
  if (schedule.length === 0) return true;
  // Both are read off the wall clock, so that a week has as many hours as its zone gives it.
  const local = writeLocal(ms, time_zone);
  const now = weekSecond(weekdayOf(local), local.slice(11));
  return schedule.some((interval) => {
    if (interval.type === "fixed") return interval.from <= local && local <= interval.to;
    const [from, to] = [secondOf(interval.from), secondOf(interval.to)];
    // From Friday to Monday goes over the end of the week.
    return from <= to ? from <= now && now <= to : now >= from || now <= to;
  });
}

function secondOf({ weekday, time }: WeekTime) {
  return weekSecond(weekday, time);
}

function weekSecond(weekday: number, time: string) {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return (weekday - 1) * (DAY_MS / 1000) + hours * 3600 + minutes * 60 + seconds;
}

/** 1 is Monday. */
function weekdayOf(local: string) {
  const day = new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay();
  return day === 0 ? 7 : day;
}
