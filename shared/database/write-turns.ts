import { ApiError } from "../error/api-error.ts";
import { isBusy } from "../error/failure.ts";

/**
 * Lets a few writers at a time at a database, which writes one after the other whatever happens. Where dozens wait in the
 * libSQL server itself for its lock, it comes to a standstill now and then: all of them wait, and nobody has it.
 *
 * Whoever came first is let in first. Calls share nothing but numbers: one that waits for another call's promise would wait for good where that call is
 * aborted.
 */
export class WriteTurns {
  /** When those under way began, by their tickets. */
  #begun = new Map<number, number>();
  /** When those who wait last asked, by their tickets: whoever came first stands first. */
  #waiting = new Map<number, number>();
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
    const ticket = this.#tickets++;
    await this.#begin(ticket, over);
    try {
      return await write();
    } finally {
      this.#begun.delete(ticket);
    }
  }

  async #begin(ticket: number, over: AbortSignal) {
    for (;;) {
      const now = Date.now();
      const [free, ahead] = [this.#free(now), this.#ahead(ticket, now)];
      if (over.aborted || ahead < free) {
        this.#waiting.delete(ticket);
        if (over.aborted) throw new ApiError(14);
        this.#begun.set(ticket, now);
        return;
      }
      this.#waiting.set(ticket, now);
      await pause(ahead - free);
    }
  }

  #free(now: number) {
    if (this.#begun.size < this.#most) return this.#most - this.#begun.size;
    // A call that is aborted never gives its place back.
    for (const [ticket, begun] of this.#begun) if (begun < now - LONGEST_MS) this.#begun.delete(ticket);
    return this.#most - this.#begun.size;
  }

  /** How many stand before this one. Who is aborted asks no more. */
  #ahead(ticket: number, now: number) {
    let ahead = 0;
    for (const [other, asked] of this.#waiting) {
      if (other === ticket) break;
      if (asked < now - SILENT_MS) this.#waiting.delete(other);
      else ahead++;
    }
    return ahead;
  }
}

/** The next few ask at every turn of the event loop or two; the others need not yet. */
function pause(ahead: number) {
  return new Promise((resolve) => setTimeout(resolve, Math.min(ahead / 4, LONGEST_PAUSE_MS)));
}

const ATTEMPTS = 3;
const LONGEST_MS = 6_000;
const LONGEST_PAUSE_MS = 10;
const SILENT_MS = 250;
