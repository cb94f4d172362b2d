import { Temporal } from "temporal-polyfill";
import { ApiError } from "../error/api-error.ts";

/** Things with a maximum span; the values are each service's `MAX_SPANS`. */
export type RangeInput =
  | "audit"
  | "reports"
  | "stats"
  | "tracks"
  | "history"
  | "sensors"
  | "counters"
  | "checkins"
  | "journal"
  | "proposals"
  | "tasks"
  | "visits";

/**
 * Throws 211 when the range is too long. `spans` is JSON: thing to ISO 8601 duration; days follow the caller's time
 * zone.
 */
export function requireSpan(
  { from, to }: { from: number; to: number },
  spans: string,
  thing: RangeInput,
  zone: string,
) {
  const longest = (JSON.parse(spans) as Partial<Record<RangeInput, string>>)[thing];
  if (!longest) return;
  const latest = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).add(longest);
  if (to > latest.epochMilliseconds) throw new ApiError(211, NAMING.includes(thing) ? { max_time_span: longest } : {});
}

/** For these things 211 names the limit. */
const NAMING: RangeInput[] = ["reports", "proposals"];

/** Like `requireSpan` for a range with optional ends: an open range has no limit. */
export function requireClosedSpan(
  { from, to }: { from?: number; to?: number },
  spans: string,
  thing: RangeInput,
  zone: string,
) {
  if (from !== undefined && to !== undefined) requireSpan({ from, to }, spans, thing, zone);
}
