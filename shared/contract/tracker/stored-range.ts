import type { Clock } from "../../time/clock.ts";
import { storedSince } from "./tariff.ts";

export type TimeRange = { from: number; to: number };
/** The visible part of a range; `from` is behind `to` when nothing of it is visible. */
export type StoredRange = TimeRange & { since: number; limit_exceeded: boolean };

/**
 * The moment before which nothing is visible, by the shortest of the storage periods of tariff and group. Null: no
 * period.
 */
export function visibleSince(storePeriods: (string | null)[], now: number): number {
  return Math.max(
    ...storePeriods.map((period) => (period === null ? Number.NEGATIVE_INFINITY : storedSince(period, now))),
  );
}

/** Cuts a range to what the storage periods leave visible of a tracker's points and events. */
export function storedRange(
  { from, to }: TimeRange,
  storePeriods: (string | null)[],
  clock: Pick<Clock, "now">,
): StoredRange {
  const since = visibleSince(storePeriods, clock.now());
  // Callers give whole seconds: the last second counts to its end.
  return { from: Math.max(from, since), to: to + 999, since, limit_exceeded: from < since };
}
