import { storedSince } from "#shared/contract/tariff.ts";
import type { Clock } from "#shared/time/clock.ts";

export type Range = { from: number; to: number };
/** What of a range may be shown; `from` is behind `to` where that is nothing. */
export type StoredRange = Range & { since: number; limit_exceeded: boolean };

/** Nothing from before the storage period is shown: the plan's, or the shorter one of the sub-user's group. */
export function storedRange(
  { from, to }: Range,
  storePeriods: (string | null)[],
  clock: Pick<Clock, "now">,
): StoredRange {
  const now = clock.now();
  const since = Math.max(...storePeriods.filter((period) => period !== null).map((period) => storedSince(period, now)));
  // The caller speaks in whole seconds: the last one counts to its end.
  return { from: Math.max(from, since), to: to + 999, since, limit_exceeded: from < since };
}

export function intersection(one: Range, other: Range): Range {
  return { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
}
