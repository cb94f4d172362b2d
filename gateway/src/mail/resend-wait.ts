import { ApiError } from "#shared/error/api-error.ts";
import { durationOf, MINUTE_MS } from "#shared/time/duration.ts";

/** The time between two mails of the same kind to a user. */
export const RESEND_WAIT_MS = 5 * MINUTE_MS;

/** The error 264 for a mail that was last sent at `sent`, in ms. */
export function tooSoonError(sent: number, now: number) {
  const remainder = Math.min(Math.max(sent + RESEND_WAIT_MS - now, 1), RESEND_WAIT_MS);
  return new ApiError(264, { timeout: durationOf(RESEND_WAIT_MS), remainder: durationOf(remainder) });
}
