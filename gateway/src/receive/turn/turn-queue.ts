import { MAX_TURN_WAIT_MS } from "#shared/operation/run-in-turn.ts";
import { systemNow } from "#shared/time/clock.ts";

/** Grants turns in order of arrival. A turn ends by itself after `MAX_TURN_MS`, in case its caller was lost. */
export class TurnQueue {
  /** When turns end, by their ids. */
  #ends = new Map<string, number>();
  /** Calls that wait, in order of arrival. */
  #waiting: { id: string; resolve(isGranted: boolean): void }[] = [];
  readonly #now: () => number;

  constructor(now: () => number = systemNow) {
    this.#now = now;
  }

  /** Waits for a turn; false if none came within `MAX_TURN_WAIT_MS`. The caller chooses `id`, to release it. */
  async acquire(id: string): Promise<boolean> {
    if (this.#waiting.length >= MAX_WAITING_CALLS) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push({ id, resolve });
    this.#grant();
    if (this.#ends.has(id)) return promise;
    const check = setInterval(() => this.#grant(), CHECK_MS);
    const limit = setTimeout(() => {
      this.#waiting = this.#waiting.filter((waiting) => waiting.id !== id);
      resolve(false);
    }, MAX_TURN_WAIT_MS);
    try {
      return await promise;
    } finally {
      clearInterval(check);
      clearTimeout(limit);
    }
  }

  release(id: string) {
    this.#ends.delete(id);
    this.#grant();
  }

  #grant() {
    for (const [id, end] of this.#ends) if (end <= this.#now()) this.#ends.delete(id);
    while (this.#ends.size < MAX_TURNS) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#ends.set(next.id, this.#now() + MAX_TURN_MS);
      next.resolve(true);
    }
  }
}

/** Expensive calls of an account that run at a time. */
const MAX_TURNS = 2;
const MAX_WAITING_CALLS = 100;
/** Between two looks for turns whose callers were lost. */
const CHECK_MS = 1_000;
/** The longest processor time that a Worker's limits allow, and so long an answer may be read before others go on. */
const MAX_TURN_MS = 30_000;
