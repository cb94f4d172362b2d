import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/duration.ts";

/** Pauses behind failed attempts: ten attempts within 75 hours. */
const PAUSES_MS = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/**
 * When to try a delivery again after `attempts` failed ones; null after the last. `retryAfterMs`: what the receiver asked
 * for, at most a day. `chance`, from 0 to 1, spreads the attempts of deliveries that failed together by a tenth.
 */
export function nextAttempt(attempts: number, now: number, retryAfterMs: number, chance: number): number | null {
  const pause = PAUSES_MS[attempts - 1];
  if (pause === undefined) return null;
  return now + Math.max(Math.round(pause * (1 + chance / 10)), Math.min(retryAfterMs, DAY_MS));
}

/** A webhook whose deliveries have failed for so long is disabled. */
export const MAX_FAILING_MS = 5 * DAY_MS;
