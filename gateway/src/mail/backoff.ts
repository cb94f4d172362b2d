import { HOUR_MS } from "#shared/time/duration.ts";

/** The wait after a number of failed tries in a row, which doubles with each; at most an hour. */
export function computeBackoffMs(tries: number): number {
  return Math.min(MIN_BACKOFF_MS * 2 ** (tries - 1), MAX_BACKOFF_MS);
}

type Attempts = { created: number; tries: number };

/** When to retry a failed mail; null if it would then be older than `retryHours`. */
export function computeRetryTime({ created, tries }: Attempts, now: number, retryHours: number): number | null {
  const due = now + computeBackoffMs(tries);
  return due - created > retryHours * HOUR_MS ? null : due;
}

const MIN_BACKOFF_MS = 5_000;
const MAX_BACKOFF_MS = HOUR_MS;
