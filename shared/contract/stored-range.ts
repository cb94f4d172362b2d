import type { Clock } from "../time/clock.ts";
import { storedSince } from "./tariff.ts";

export type TimeRange = { from: number; to: number };
/** What of a range may be shown; `from` is behind `to` where that is nothing. */
export type StoredRange = TimeRange & { since: number; limit_exceeded: boolean };

/**
 * The moment before which nothing is shown: of the storage periods the shortest counts, the plan's or that of the
 * sub-user's group. Null is no period.
 */
export function visibleSince(storePeriods: (string | null)[], now: number): number {
  return Math.max(
    ...storePeriods.map((period) => (period === null ? Number.NEGATIVE_INFINITY : storedSince(period, now))),
  );
}

/** For all that shows where trackers were, or what they showed. */
export function storedRange(
  { from, to }: TimeRange,
  storePeriods: (string | null)[],
  clock: Pick<Clock, "now">,
): StoredRange {
  const since = visibleSince(storePeriods, clock.now());
  // The caller speaks in whole seconds: the last one counts to its end.
  return { from: Math.max(from, since), to: to + 999, since, limit_exceeded: from < since };
}
