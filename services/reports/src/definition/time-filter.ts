import { Temporal } from "temporal-polyfill";
import { writeLocal } from "#shared/time/clock.ts";
import { HOUR_MS } from "#shared/time/duration.ts";

/**
 * Times of day as `HH:MM:SS`, weekdays from 1 (Monday). If `from` is later than `to`, the window goes over midnight.
 */
export type TimeFilter = { from: string; to: string; weekdays: number[] };

export const ALWAYS: TimeFilter = { from: "00:00:00", to: "23:59:59", weekdays: [1, 2, 3, 4, 5, 6, 7] };

/**
 * Whether the filter admits the moment, by the clock of the zone. A window over midnight belongs to the day on which it
 * began.
 */
export function isWithin(ms: number, filter: TimeFilter, zone: string): boolean {
  return isUnfiltered(filter) || findWindowDay(ms, filter, zone) !== null;
}

/** Whether the filter admits both moments and all time between them. */
export function isOneWindow(from: number, to: number, filter: TimeFilter, zone: string): boolean {
  if (isUnfiltered(filter)) return true;
  const [first, last] = [findWindowDay(from, filter, zone), findWindowDay(to, filter, zone)];
  if (first === null || last === null) return false;
  // Whole days follow each other without a gap; a day that the filter excludes lasts more than 12 hours.
  return first === last || (isWholeDay(filter) && to - from <= 12 * HOUR_MS);
}

function isUnfiltered(filter: TimeFilter) {
  return isWholeDay(filter) && new Set(filter.weekdays).size === 7;
}

function isWholeDay({ from, to }: TimeFilter) {
  return from === ALWAYS.from && to === ALWAYS.to;
}

/** The day (`yyyy-MM-dd`) on which the window around the moment began; null outside of all windows. */
function findWindowDay(ms: number, { from, to, weekdays }: TimeFilter, zone: string): string | null {
  const local = writeLocal(ms, zone);
  const time = local.slice(11);
  const date = Temporal.PlainDate.from(local.slice(0, 10));
  const isOvernight = from > to;
  if (!isOvernight && (time < from || time > to)) return null;
  if (isOvernight && time < from && time > to) return null;
  const day = isOvernight && time <= to ? date.subtract({ days: 1 }) : date;
  return weekdays.includes(day.dayOfWeek) ? day.toString() : null;
}
