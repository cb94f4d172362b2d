export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** Longer than any call takes. */
export const MAX_CALL_MS = MINUTE_MS;

/** ISO 8601 duration such as `PT4M31.575S`. */
export function durationOf(ms: number): string {
  const [hours, minutes, seconds] = [
    Math.floor(ms / HOUR_MS),
    Math.floor(ms / MINUTE_MS) % 60,
    (ms % MINUTE_MS) / 1000,
  ];
  const parts = [hours && `${hours}H`, minutes && `${minutes}M`, seconds && `${seconds}S`].filter(Boolean);
  return `PT${parts.join("") || "0S"}`;
}
