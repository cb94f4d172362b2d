import { ApiError } from "#shared/error/api-error.ts";
import { systemNow } from "#shared/time/clock.ts";

/** Memory reserved for an upload, which calls `renew` when it makes progress, and `release` at its end. */
export type MemoryReservation = { bytes: number; renew(): void; release(): void };

/**
 * Limits the memory of uploads in an isolate; later uploads wait in order. Each reserves all its memory at once, against
 * deadlocks. Waiting polls, because a promise of an aborted upload would never settle.
 */
export class UploadMemory {
  readonly #bytes: number;
  readonly #waitMs: number;
  readonly #reservations = new Map<number, { bytes: number; usedAt: number }>();
  /** When each waiting upload last polled. */
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

  /** Waits for memory; 14 after `waitMs`. */
  async reserve(bytes: number): Promise<MemoryReservation> {
    const id = this.#lastId++;
    const deadline = this.#now() + this.#waitMs;
    try {
      while (!this.#isAvailable(id, bytes)) {
        if (this.#now() >= deadline) throw new ApiError(14);
        this.#waiting.set(id, this.#now());
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      }
      this.#reservations.set(id, { bytes, usedAt: this.#now() });
    } finally {
      this.#waiting.delete(id);
    }
    return {
      bytes,
      renew: () => {
        const reservation = this.#reservations.get(id);
        if (reservation) reservation.usedAt = this.#now();
      },
      release: () => void this.#reservations.delete(id),
    };
  }

  #isAvailable(id: number, bytes: number) {
    const now = this.#now();
    // Aborted uploads neither release their memory nor poll.
    for (const [other, { usedAt }] of this.#reservations)
      if (usedAt < now - MAX_SILENCE_MS) this.#reservations.delete(other);
    for (const [other, askedAt] of this.#waiting)
      if (askedAt < now - POLL_INTERVAL_MS * 100) this.#waiting.delete(other);
    const [first = id] = this.#waiting.keys();
    return first === id && this.reservedBytes + bytes <= this.#bytes;
  }
}

const POLL_INTERVAL_MS = 10;
/** Longer than a sender may stall before its upload fails. */
const MAX_SILENCE_MS = 60_000;

/** Enough for the parts of ten large files. */
export const UPLOAD_MEMORY = new UploadMemory(50 * 1024 * 1024, 20_000);
