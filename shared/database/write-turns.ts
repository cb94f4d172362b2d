import { ApiError } from "../error/api-error.ts";
import { isBusy } from "../error/failure.ts";

/**
 * Lets a few writers at a time at a database, which writes one after the other whatever happens. Where dozens wait in the
 * libSQL server itself for its lock, it comes to a standstill now and then: all of them wait, and nobody has it.
 *
 * Calls share nothing but numbers: one that waits for another call's promise would wait for good where that call is
 * aborted.
 */
export class WriteTurns {
  /** When those under way began, by their tickets. */
  #begun = new Map<number, number>();
  #tickets = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** `over` ends the wait for a turn: what has not begun by then never does. */
  async take<T>(write: () => Promise<T>, over: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#takeOne(write, over);
      } catch (thrown) {
        // Now and then even two get into each other's way, for as long as the server lets one wait.
        if (!isBusy(thrown) || attempt === ATTEMPTS) throw thrown;
      }
    }
  }

  async #takeOne<T>(write: () => Promise<T>, over: AbortSignal): Promise<T> {
    while (!over.aborted && this.#isFull()) await pause();
    if (over.aborted) throw new ApiError(14);
    const ticket = this.#tickets++;
    this.#begun.set(ticket, Date.now());
    try {
      return await write();
    } finally {
      this.#begun.delete(ticket);
    }
  }

  #isFull() {
    if (this.#begun.size < this.#most) return false;
    // A call that is aborted never gives its place back.
    const lapsed = Date.now() - LONGEST_MS;
    for (const [ticket, begun] of this.#begun) if (begun < lapsed) this.#begun.delete(ticket);
    return this.#begun.size >= this.#most;
  }
}

/** Not the same for all: whoever came first must not always be last. */
function pause() {
  return new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 3));
}

const ATTEMPTS = 3;
const LONGEST_MS = 6_000;
