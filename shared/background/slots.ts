import { systemNow } from "../time/clock.ts";

/** A limited number of slots. Those that are not freed in time lapse: an aborted call never frees its slots. */
export class Slots {
  #taken = new Map<number, { count: number; since: number; owner: string | undefined }>();
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
    return this.#hasTaken(this.#most - reserved);
  }

  /** Whether an owner has taken `share` slots. */
  isShareFull(owner: string, share: number): boolean {
    return this.#hasTaken(share, owner);
  }

  /** The number of slots that are taken: all of them, or those of an owner. */
  countTaken(owner?: string): number {
    let sum = 0;
    for (const taken of this.#taken.values()) if (owner === undefined || taken.owner === owner) sum += taken.count;
    return sum;
  }

  /** Takes slots, even more than are free; answers a key that frees them. */
  take(count = 1, owner?: string): number {
    this.#taken.set(this.#next, { count, since: this.#now(), owner });
    return this.#next++;
  }

  /** False if the slots have lapsed. */
  free(key: number): boolean {
    return this.#taken.delete(key);
  }

  #hasTaken(limit: number, owner?: string): boolean {
    if (this.countTaken(owner) < limit) return false;
    const lapsed = this.#now() - this.#lapseMs;
    for (const [key, { since }] of this.#taken) if (since < lapsed) this.#taken.delete(key);
    return this.countTaken(owner) >= limit;
  }
}
