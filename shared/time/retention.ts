import { DAY_MS } from "./duration.ts";

/** The moment before which what is kept for so many days is gone; null: with 0 it is kept for ever. */
export function retentionStart(days: string, now: number): number | null {
  return Number(days) > 0 ? now - Number(days) * DAY_MS : null;
}
