import { Temporal } from "temporal-polyfill";
import { writeLocal } from "#shared/time/clock.ts";
import { HOUR_MS } from "#shared/time/duration.ts";

/** Times of the day as `HH:MM:SS`, weekdays from 1, Monday. Where `from` is later than `to` it goes over midnight. */
export type TimeFilter = { from: string; to: string; weekdays: number[] };

export const ALWAYS: TimeFilter = { from: "00:00:00", to: "23:59:59", weekdays: [1, 2, 3, 4, 5, 6, 7] };

/** Whether a moment is within, by the clock of the zone; over midnight it belongs to the day on which it began. */
export function isWithin(ms: number, filter: TimeFilter, zone: string): boolean {
  return isUnfiltered(filter) || findWindowDay(ms, filter, zone) !== null;
}

/** Whether both moments, and all that is between them, are within. */
export function isOneWindow(from: number, to: number, filter: TimeFilter, zone: string): boolean {
  if (isUnfiltered(filter)) return true;
  const [first, last] = [findWindowDay(from, filter, zone), findWindowDay(to, filter, zone)];
  if (first === null || last === null) return false;
  // Days follow on each other without a gap; what is left out lasts a whole one.
  return first === last || (isWholeDay(filter) && to - from <= 12 * HOUR_MS);
}

function isUnfiltered(filter: TimeFilter) {
  return isWholeDay(filter) && new Set(filter.weekdays).size === 7;
}

function isWholeDay({ from, to }: TimeFilter) {
  return from === ALWAYS.from && to === ALWAYS.to;
}

/** The day on which the time that is let through began, `yyyy-MM-dd`; null outside. */
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
