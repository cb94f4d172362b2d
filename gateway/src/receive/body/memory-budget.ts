import { ApiError } from "#shared/error/api-error.ts";
import { systemNow } from "#shared/time/clock.ts";

/**
 * The bytes of bodies that an isolate is taking in: above the limit callers are asked to come back, before others run out
 * of memory with them. Calls share nothing but numbers: one that is aborted never gives its room back, so it lapses.
 */
export class MemoryBudget {
  readonly #limit: number;
  #reservations = new Map<number, { bytes: number; seen: number }>();
  #lastTicket = 0;
  readonly #now: () => number;

  constructor(limit: number, now: () => number = systemNow) {
    this.#now = now;
    this.#limit = limit;
  }

  /** Room for so many, until the ticket is given back; 15 where there is none. */
  reserve(bytes: number): number {
    const now = this.#now();
    let sum = bytes;
    for (const [ticket, one] of this.#reservations) {
      if (one.seen + MAX_SILENCE_MS < now) this.#reservations.delete(ticket);
      else sum += one.bytes;
    }
    if (sum > this.#limit) throw new ApiError(15);
    this.#reservations.set(++this.#lastTicket, { bytes, seen: now });
    return this.#lastTicket;
  }

  /** There is more of it: it has not been aborted. */
  renew(ticket: number) {
    const one = this.#reservations.get(ticket);
    if (one) one.seen = this.#now();
  }

  release(ticket: number) {
    this.#reservations.delete(ticket);
  }
}

/** Longer than a body is waited for that stalls. */
const MAX_SILENCE_MS = 25_000;
