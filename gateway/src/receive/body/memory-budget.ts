import { ApiError } from "#shared/error/api-error.ts";
import { systemNow } from "#shared/time/clock.ts";

/**
 * Limits the bytes of bodies that an isolate receives at the same time, so that it does not run out of memory. A
 * reservation lapses after `MAX_SILENCE_MS`, because an aborted call never releases its own.
 */
export class MemoryBudget {
  readonly #limit: number;
  #reservations = new Map<number, { bytes: number; renewedAt: number }>();
  #lastId = 0;
  readonly #now: () => number;

  constructor(limit: number, now: () => number = systemNow) {
    this.#now = now;
    this.#limit = limit;
  }

  /** Reserves bytes until `release`, and returns the id of the reservation; 15 if the budget is used up. */
  reserve(bytes: number): number {
    const now = this.#now();
    let sum = bytes;
    for (const [id, one] of this.#reservations) {
      if (one.renewedAt + MAX_SILENCE_MS < now) this.#reservations.delete(id);
      else sum += one.bytes;
    }
    if (sum > this.#limit) throw new ApiError(15);
    this.#reservations.set(++this.#lastId, { bytes, renewedAt: now });
    return this.#lastId;
  }

  /** Keeps a reservation from lapsing: another piece of the body has arrived. */
  renew(id: number) {
    const one = this.#reservations.get(id);
    if (one) one.renewedAt = this.#now();
  }

  release(id: number) {
    this.#reservations.delete(id);
  }
}

/** Longer than the wait for a stalled body. */
const MAX_SILENCE_MS = 25_000;
