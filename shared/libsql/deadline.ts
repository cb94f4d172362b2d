import { ApiError } from "../error/api-error.ts";

/**
 * Runs what has so long, and lets it know by the signal when that is over. What is not done by then is the caller's 14:
 * a database that hangs must not hold a call for good.
 */
export async function withinDeadline<T>(ms: number, run: (over: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), ms);
  try {
    return await run(deadline.signal);
  } catch (thrown) {
    throw deadline.signal.aborted ? new ApiError(14) : thrown;
  } finally {
    clearTimeout(timer);
  }
}
