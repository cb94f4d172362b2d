import { Temporal } from "temporal-polyfill";
import { writeLocal } from "#shared/time/clock.ts";

/** Times of the day as `HH:MM:SS`, weekdays from 1, Monday. Where `from` is later than `to` it goes over midnight. */
export type TimeFilter = { from: string; to: string; weekdays: number[] };

export const ALWAYS: TimeFilter = { from: "00:00:00", to: "23:59:59", weekdays: [1, 2, 3, 4, 5, 6, 7] };

/** Whether a moment is within, by the clock of the zone; over midnight it belongs to the day on which it began. */
export function isWithin(ms: number, { from, to, weekdays }: TimeFilter, zone: string): boolean {
  const local = writeLocal(ms, zone);
  const time = local.slice(11);
  const date = Temporal.PlainDate.from(local.slice(0, 10));
  if (from <= to) return from <= time && time <= to && weekdays.includes(date.dayOfWeek);
  if (time >= from) return weekdays.includes(date.dayOfWeek);
  return time <= to && weekdays.includes(date.subtract({ days: 1 }).dayOfWeek);
}
