import { HOUR_MS } from "#shared/time/duration.ts";

/** How long a receiver that failed so often in a row is left alone. */
export function pauseMs(failures: number, firstSeconds: number): number {
  return Math.min(firstSeconds * 1000 * 2 ** (failures - 1), LONGEST_MS);
}

const LONGEST_MS = HOUR_MS;
