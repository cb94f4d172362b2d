import { HOUR_MS } from "#shared/time/duration.ts";

/** The delay after so many consecutive failures of a receiver, doubled each time. */
export function retryDelayMs(failures: number, firstSeconds: number): number {
  return Math.min(firstSeconds * 1000 * 2 ** (failures - 1), MAX_RETRY_DELAY_MS);
}

const MAX_RETRY_DELAY_MS = HOUR_MS;
