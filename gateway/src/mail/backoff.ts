import { HOUR_MS } from "#shared/time/duration.ts";

/** How long to wait after so many tries in a row that failed. */
export function computeBackoffMs(tries: number): number {
  return Math.min(MIN_BACKOFF_MS * 2 ** (tries - 1), MAX_BACKOFF_MS);
}

type Attempts = { created: number; tries: number };

/** When to try a mail again that could not be sent; null when it is too old to be tried again. */
export function computeRetryTime({ created, tries }: Attempts, now: number, retryHours: number): number | null {
  const due = now + computeBackoffMs(tries);
  return due - created > retryHours * HOUR_MS ? null : due;
}

const MIN_BACKOFF_MS = 5_000;
const MAX_BACKOFF_MS = HOUR_MS;
