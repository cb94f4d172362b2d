import type { Schemas } from "../../../clients/typescript/src/index.ts";

export type Interval = NonNullable<Schemas["NewRule"]["schedule"]>[number];

export const HOURS = 24;
export const WEEK_HOURS = 7 * HOURS;

/** The hours of a week that intervals fill, from Monday at midnight on, and the intervals that are no whole hours of a week. */
export function splitSchedule(schedule: Interval[]): { hours: Set<number>; others: Interval[] } {
  const hours = new Set<number>();
  const others: Interval[] = [];
  for (const interval of schedule) {
    const span = wholeHoursOf(interval);
    if (!span) others.push(interval);
    else for (let count = 0; count < span.length; count++) hours.add((span.first + count) % WEEK_HOURS);
  }
  return { hours, others };
}

/** Weekly intervals that fill these hours. Their ends belong to them, so that each ends a second before the hour. */
export function toIntervals(hours: ReadonlySet<number>): Interval[] {
  if (hours.size === WEEK_HOURS) return [weekly(0, WEEK_HOURS - 1)];
  return [...hours]
    .filter((hour) => !hours.has((hour + WEEK_HOURS - 1) % WEEK_HOURS))
    .toSorted((one, other) => one - other)
    .map((first) => {
      let last = first;
      while (hours.has((last + 1) % WEEK_HOURS)) last++;
      return weekly(first, last % WEEK_HOURS);
    });
}

/** The hours from one of the day to another, on these days: 0 is Monday. */
export function hoursOf(days: number[], from: number, to: number): Set<number> {
  return new Set(days.flatMap((day) => Array.from({ length: to - from }, (_, index) => day * HOURS + from + index)));
}

function weekly(first: number, last: number): Interval {
  const pad = (hour: number) => String(hour % HOURS).padStart(2, "0");
  const weekday = (hour: number) => Math.floor(hour / HOURS) + 1;
  return {
    type: "weekly",
    from: { weekday: weekday(first), time: `${pad(first)}:00:00` },
    to: { weekday: weekday(last), time: `${pad(last)}:59:59` },
  };
}

function wholeHoursOf(interval: Interval): { first: number; length: number } | undefined {
  if (interval.type === "fixed") return undefined;
  const from = secondOf(interval.from);
  const to = secondOf(interval.to);
  // An end at a full hour means the same to people as the second before it.
  const end = to % 3600 === 3599 ? to + 1 : to;
  if (from % 3600 !== 0 || end % 3600 !== 0) return undefined;
  const first = from / 3600;
  const length = (end / 3600 - first + WEEK_HOURS) % WEEK_HOURS;
  return { first, length: length === 0 && to !== from ? WEEK_HOURS : length };
}

function secondOf({ weekday, time }: { weekday: number; time: string }): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return ((weekday - 1) * HOURS + hours) * 3600 + minutes * 60 + seconds;
}
