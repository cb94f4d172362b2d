import { systemNow } from "../time/clock.ts";

/** A limited number of slots. One that is not freed in time lapses: an aborted call never frees its slot. */
export class Slots {
  /** When each slot was taken, by number. */
  #taken = new Map<number, number>();
  #next = 0;
  readonly #most: number;
  readonly #lapseMs: number;
  readonly #now: () => number;

  constructor(most: number, lapseMs: number, now: () => number = systemNow) {
    this.#most = most;
    this.#lapseMs = lapseMs;
    this.#now = now;
  }

  get count() {
    return this.#taken.size;
  }

  /** The number of a slot; undefined while all are taken, those that are `reserved` included. */
  take(reserved = 0): number | undefined {
    const now = this.#now();
    if (this.count + reserved >= this.#most) {
      for (const [slot, since] of this.#taken) if (since < now - this.#lapseMs) this.#taken.delete(slot);
      if (this.count + reserved >= this.#most) return undefined;
    }
    this.#taken.set(this.#next, now);
    return this.#next++;
  }

  /** False if the slot has lapsed. */
  free(slot: number): boolean {
    return this.#taken.delete(slot);
  }
}
