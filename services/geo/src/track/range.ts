import type { Range } from "#shared/contract/stored-range.ts";

export function intersection(one: Range, other: Range): Range {
  return { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
}
