import { DAY_MS } from "./duration.ts";

/** The start of a retention of so many days; null when `days` is 0: unlimited. */
export function retentionStart(days: string, now: number): number | null {
  return Number(days) > 0 ? now - Number(days) * DAY_MS : null;
}
