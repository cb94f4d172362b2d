import { ApiError } from "#shared/error/api-error.ts";
import { systemNow } from "#shared/time/clock.ts";

/**
 * The bytes of bodies that an isolate is taking in: above the limit callers are asked to come back, before others run out
 * of memory with them. Calls share nothing but numbers: one that is aborted never gives its room back, so it lapses.
 */
export class BytesUnderWay {
  readonly #limit: number;
  #taken = new Map<number, { bytes: number; seen: number }>();
  #tickets = 0;
  readonly #now: () => number;

  constructor(limit: number, now: () => number = systemNow) {
    this.#now = now;
    this.#limit = limit;
  }

  /** Room for so many, until the ticket is given back; 15 where there is none. */
  take(bytes: number): number {
    const now = this.#now();
    let sum = bytes;
    for (const [ticket, one] of this.#taken) {
      if (one.seen + SILENT_MS < now) this.#taken.delete(ticket);
      else sum += one.bytes;
    }
    if (sum > this.#limit) throw new ApiError(15);
    this.#taken.set(++this.#tickets, { bytes, seen: now });
    return this.#tickets;
  }

  /** There is more of it: it has not been aborted. */
  see(ticket: number) {
    const one = this.#taken.get(ticket);
    if (one) one.seen = this.#now();
  }

  giveBack(ticket: number) {
    this.#taken.delete(ticket);
  }
}

/** Longer than a body is waited for that stalls. */
const SILENT_MS = 25_000;
