import { systemNow, writeLocal } from "../../../shared/time/clock.ts";
import { DAY_MS } from "../../../shared/time/duration.ts";

export const ZONE = "Europe/Berlin";

/** The range of the samples' calls. */
export const RANGE = { from: daysAgo(4), to: daysAgo(-1) };

export function daysAgo(days: number) {
  return writeLocal(systemNow() - days * DAY_MS, ZONE);
}
/** The range of calls that accept no more than a day. */
export const DAY = { from: daysAgo(1), to: daysAgo(0) };
