import { zoneOffsetMs } from "#shared/time/clock.ts";
import { DAY_MS, SECOND_MS } from "#shared/time/duration.ts";
import type { Interval, WeekTime } from "../../table/rule/rule.ts";

/** Whether a time is within one of the intervals, ends included; always true without intervals. */
export function isScheduled(schedule: Interval[], ms: number, time_zone: string): boolean {
  if (schedule.length === 0) return true;
  // Both kinds compare wall-clock time, so that changes of summer time need no special case.
  const local = Math.floor((ms + zoneOffsetMs(ms, time_zone)) / SECOND_MS);
  const inWeek = (local - FIRST_MONDAY) % WEEK_SECONDS;
  const now = inWeek < 0 ? inWeek + WEEK_SECONDS : inWeek;
  for (const { isWeekly, from, to } of toSpans(schedule)) {
    const at = isWeekly ? now : local;
    // A weekly interval such as Friday to Monday wraps around the end of the week.
    if (from <= to ? from <= at && at <= to : isWeekly && (at >= from || at <= to)) return true;
  }
  return false;
}

/** An interval in seconds of wall-clock time: of the week from Monday, or since 1970. */
type Span = { isWeekly: boolean; from: number; to: number };

/** Parses a schedule once; later calls use the cached result. */
function toSpans(schedule: Interval[]): Span[] {
  const known = spansOfSchedules.get(schedule);
  if (known) return known;
  const spans = schedule.map((interval) =>
    interval.type === "fixed"
      ? { isWeekly: false, from: fixedSecond(interval.from), to: fixedSecond(interval.to) }
      : { isWeekly: true, from: weekSecond(interval.from), to: weekSecond(interval.to) },
  );
  spansOfSchedules.set(schedule, spans);
  return spans;
}

function weekSecond({ weekday, time }: WeekTime) {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return (weekday - 1) * DAY_SECONDS + hours * 3600 + minutes * 60 + seconds;
}

function fixedSecond(text: string) {
  return Date.parse(`${text.replace(" ", "T")}Z`) / SECOND_MS;
}

const spansOfSchedules = new WeakMap<Interval[], Span[]>();
const DAY_SECONDS = DAY_MS / SECOND_MS;
const WEEK_SECONDS = 7 * DAY_SECONDS;
/** 1970 began on a Thursday. */
const FIRST_MONDAY = 4 * DAY_SECONDS;
