import { ApiError } from "../error/api-error.ts";

type BudgetOptions = {
  /** The most steps of the whole work. */
  limit: number;
  /** The error of work beyond the limit. */
  error?: () => ApiError;
  /** Returns to the event loop; a test counts the pauses instead. */
  pause?: () => Promise<void>;
};

/**
 * Limits the work of a loop that callers can make long, and does it in slices, so that other calls of the isolate are
 * answered in between. The runtime ends the work of a caller that has disconnected at the next pause.
 */
export class WorkBudget {
  #limit: number;
  #error: () => ApiError;
  #pause: () => Promise<void>;
  #spent = 0;
  #spentInSlice = 0;

  constructor({ limit, error = () => new ApiError(267), pause = returnToEventLoop }: BudgetOptions) {
    this.#limit = limit;
    this.#error = error;
    this.#pause = pause;
  }

  /**
   * Counts steps that were done; throws once the limit is exceeded. Undefined within a slice, so that hot loops await
   * nothing; at the end of a slice a pause to await.
   */
  spend(steps: number): Promise<void> | undefined {
    this.#spent += steps;
    if (this.#spent > this.#limit) throw this.#error();
    this.#spentInSlice += steps;
    if (this.#spentInSlice < STEPS_PER_SLICE) return undefined;
    this.#spentInSlice = 0;
    return this.#pause();
  }
}

/** Resolves after events that are waiting already: a promise alone would let none of them through. */
function returnToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/**
 * About 5 ms of comparing positions with edges of zones: a call of another account waits for several slices, one at each
 * of its hops. Slices are not measured: the runtime's clock stands still during synchronous work.
 */
export const STEPS_PER_SLICE = 600_000;
