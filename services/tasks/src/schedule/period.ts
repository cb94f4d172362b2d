import { MINUTE_MS } from "#shared/time/duration.ts";
import { toMoment } from "#shared/time/schedule-days.ts";

type PlannedTime = { from_time: string; duration: number; max_delay: number };
type Period = { from: number; to: number };

/** The times of a task that is planned for this time of the day. */
export function toPeriod(day: string, { from_time, duration, max_delay }: PlannedTime, zone: string) {
  const from = toMoment(day, from_time, zone);
  const to = from + duration * MINUTE_MS;
  return { from, to, deadline: to + max_delay * MINUTE_MS };
}

/** A route lasts from the beginning of its first checkpoint to the end of its last one. */
export function toRoutePeriod(periods: Period[]): Period {
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last) throw new Error("what is planned has a time");
  return { from: first.from, to: last.to };
}
