import { MINUTE_MS } from "#shared/time/duration.ts";
import { momentOn } from "./days.ts";

type Time = { from_time: string; duration: number; max_delay: number };
type Period = { from: number; to: number };

/** When what is planned for this time of the day is to be done. */
export function periodOn(day: string, { from_time, duration, max_delay }: Time, zone: string) {
  const from = momentOn(day, from_time, zone);
  const to = from + duration * MINUTE_MS;
  return { from, to, deadline: to + max_delay * MINUTE_MS };
}

/** A route lasts from its first checkpoint's beginning to its last one's end. */
export function frameOf(periods: Period[]): Period {
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last) throw new Error("what is planned has a time");
  return { from: first.from, to: last.to };
}
