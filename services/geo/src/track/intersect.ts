import type { TimeRange } from "#shared/contract/tracker/stored-range.ts";

export function intersect(one: TimeRange, other: TimeRange): TimeRange {
  return { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
}
