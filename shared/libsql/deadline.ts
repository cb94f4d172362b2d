import { ApiError } from "../error/api-error.ts";

/**
 * Runs work with a time limit; the signal fires when it is over. Throws 14: a database that hangs must not hold a call
 * forever.
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
