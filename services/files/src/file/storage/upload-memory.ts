import { ApiError } from "#shared/error/api-error.ts";
import { systemNow } from "#shared/time/clock.ts";

/** Memory that an upload may use; it says so whenever it goes on, and gives it back when it is over. */
export type MemoryReservation = { bytes: number; renew(): void; release(): void };

/**
 * How much of uploads an isolate holds in memory, on its way to the bucket: who finds no space waits, in the order of
 * coming. Each takes at once all that it is going to need, so that none waits for what another waits with.
 *
 * Uploads share nothing but numbers: one that waits for another's promise would wait for good where that one is aborted.
 */
export class UploadMemory {
  readonly #bytes: number;
  readonly #waitMs: number;
  readonly #reservations = new Map<number, { bytes: number; usedAt: number }>();
  /** When those that wait have last asked. */
  readonly #waiting = new Map<number, number>();
  #lastId = 0;
  readonly #now: () => number;

  constructor(bytes: number, waitMs: number, now: () => number = systemNow) {
    this.#now = now;
    this.#bytes = bytes;
    this.#waitMs = waitMs;
  }

  get reservedBytes() {
    return [...this.#reservations.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** 14 where there is none for too long. */
  async reserve(bytes: number): Promise<MemoryReservation> {
    const ticket = this.#lastId++;
    const over = this.#now() + this.#waitMs;
    try {
      while (!this.#isAvailable(ticket, bytes)) {
        if (this.#now() >= over) throw new ApiError(14);
        this.#waiting.set(ticket, this.#now());
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      }
      this.#reservations.set(ticket, { bytes, usedAt: this.#now() });
    } finally {
      this.#waiting.delete(ticket);
    }
    return {
      bytes,
      renew: () => {
        const space = this.#reservations.get(ticket);
        if (space) space.usedAt = this.#now();
      },
      release: () => void this.#reservations.delete(ticket),
    };
  }

  #isAvailable(ticket: number, bytes: number) {
    const now = this.#now();
    // An upload that is aborted gives nothing back, and asks no more.
    for (const [other, { usedAt }] of this.#reservations)
      if (usedAt < now - MAX_SILENCE_MS) this.#reservations.delete(other);
    for (const [other, askedAt] of this.#waiting)
      if (askedAt < now - POLL_INTERVAL_MS * 100) this.#waiting.delete(other);
    const [first = ticket] = this.#waiting.keys();
    return first === ticket && this.reservedBytes + bytes <= this.#bytes;
  }
}

const POLL_INTERVAL_MS = 10;
/** Longer than a sender may stall. */
const MAX_SILENCE_MS = 60_000;

/** Ten parts of a large file. */
export const UPLOAD_MEMORY = new UploadMemory(50 * 1024 * 1024, 20_000);
