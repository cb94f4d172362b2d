import { Temporal } from "temporal-polyfill";
import { ApiError } from "../error/api-error.ts";

/** What has a longest span; the values stand in each service's `MAX_SPANS`. */
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

/** `spans` is JSON: thing to ISO 8601 duration. Days are the caller's: a day of 25 hours is one. */
export function requireSpan(
  { from, to }: { from: number; to: number },
  spans: string,
  thing: RangeInput,
  zone: string,
) {
  const longest = (JSON.parse(spans) as Partial<Record<RangeInput, string>>)[thing];
  if (!longest) return;
  const latest = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).add(longest);
  // Of reports callers are told how long it may be.
  if (to > latest.epochMilliseconds) throw new ApiError(211, thing === "reports" ? { max_time_span: longest } : {});
}

/** The same for a range whose ends may be left out: one that is open has no length. */
export function requireClosedSpan(
  { from, to }: { from?: number; to?: number },
  spans: string,
  thing: RangeInput,
  zone: string,
) {
  if (from !== undefined && to !== undefined) requireSpan({ from, to }, spans, thing, zone);
}
