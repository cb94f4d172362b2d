import { systemNow } from "../time/clock.ts";

/** A limited number of slots. Those that are not freed in time lapse: an aborted call never frees its slots. */
export class Slots {
  #taken = new Map<number, { count: number; since: number }>();
  #next = 0;
  readonly #most: number;
  readonly #lapseMs: number;
  readonly #now: () => number;

  constructor(most: number, lapseMs: number, now: () => number = systemNow) {
    this.#most = most;
    this.#lapseMs = lapseMs;
    this.#now = now;
  }

  /** Whether no slot is free besides `reserved` ones. */
  areFull(reserved = 0): boolean {
    if (this.countTaken() + reserved < this.#most) return false;
    const lapsed = this.#now() - this.#lapseMs;
    for (const [key, { since }] of this.#taken) if (since < lapsed) this.#taken.delete(key);
    return this.countTaken() + reserved >= this.#most;
  }

  countTaken(): number {
    let sum = 0;
    for (const { count } of this.#taken.values()) sum += count;
    return sum;
  }

  /** Takes slots, even more than are free; answers a key that frees them. */
  take(count = 1): number {
    this.#taken.set(this.#next, { count, since: this.#now() });
    return this.#next++;
  }

  /** False if the slots have lapsed. */
  free(key: number): boolean {
    return this.#taken.delete(key);
  }
}
