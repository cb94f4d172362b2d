import { ApiError } from "#shared/error/api-error.ts";
import { durationOf, MINUTE_MS } from "#shared/time/duration.ts";

/** A mail that was asked for again is not sent once more before this is over. */
export const RESEND_WAIT_MS = 5 * MINUTE_MS;

/** The refusal of a mail that was sent at `sent`, too short a time ago. */
export function tooSoonError(sent: number, now: number) {
  const remainder = Math.min(Math.max(sent + RESEND_WAIT_MS - now, 1), RESEND_WAIT_MS);
  return new ApiError(264, { timeout: durationOf(RESEND_WAIT_MS), remainder: durationOf(remainder) });
}
