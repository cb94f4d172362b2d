import { HOUR_MS } from "#shared/time/duration.ts";

/** How long to wait after so many tries in a row that failed. */
export function waitAfter(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
}

type Attempts = { created: number; tries: number };

/** When to try a mail again that could not be sent; null when it is too old to be tried again. */
export function nextTry({ created, tries }: Attempts, now: number, retryHours: number): number | null {
  const due = now + waitAfter(tries);
  return due - created > retryHours * HOUR_MS ? null : due;
}

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = HOUR_MS;
