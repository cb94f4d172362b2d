import { withTimeLimit } from "../background/time-limit.ts";
import { ApiError } from "../error/api-error.ts";

/**
 * Runs work with a time limit; the signal fires when it is over. Throws 14: a database that hangs must not hold a call
 * forever.
 */
export function withinDeadline<T>(ms: number, run: (over: AbortSignal) => Promise<T>): Promise<T> {
  return withTimeLimit(ms, async (over) => {
    try {
      return await run(over);
    } catch (thrown) {
      throw over.aborted ? new ApiError(14) : thrown;
    }
  });
}
