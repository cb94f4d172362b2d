import type { TimeRange } from "#shared/contract/tracker/stored-range.ts";

export const ALL_TIME: TimeRange = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** The smallest range that holds both; ends are inclusive UTC milliseconds. */
export function widenRange(range: TimeRange | null, from: number, to: number): TimeRange {
  return range ? { from: Math.min(range.from, from), to: Math.max(range.to, to) } : { from, to };
}
