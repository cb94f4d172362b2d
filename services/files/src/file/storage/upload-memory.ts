import { ApiError } from "#shared/error/api-error.ts";
import { systemNow } from "#shared/time/clock.ts";

/** Memory reserved for an upload, which calls `renew` when it makes progress, and `release` at its end. */
export type MemoryReservation = { bytes: number; renew(): void; release(): void };

type MemoryLimits = { bytes: number; perAccount: number; waitMs: number };
type Reservation = { account_id: number; bytes: number; usedAt: number };
type WaitingUpload = { account_id: number; bytes: number; polledAt: number };

/**
 * Limits the memory of uploads in an isolate, and of one account's uploads; later ones wait in order. An account that
 * has reached its limit does not hold up others. Waiting polls: a promise of an aborted upload would never settle.
 */
export class UploadMemory {
  readonly #limits: MemoryLimits;
  readonly #reservations = new Map<number, Reservation>();
  readonly #waiting = new Map<number, WaitingUpload>();
  #lastId = 0;
  readonly #now: () => number;

  constructor(limits: MemoryLimits, now: () => number = systemNow) {
    this.#now = now;
    this.#limits = limits;
  }

  get reservedBytes() {
    return this.#sum(() => true);
  }

  /** Waits for memory; 14 after `waitMs`. */
  async reserve(bytes: number, account_id: number): Promise<MemoryReservation> {
    const id = this.#lastId++;
    const deadline = this.#now() + this.#limits.waitMs;
    try {
      while (!this.#isAvailable(id, { account_id, bytes })) {
        if (this.#now() >= deadline) throw new ApiError(14);
        this.#waiting.set(id, { account_id, bytes, polledAt: this.#now() });
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      }
      this.#reservations.set(id, { account_id, bytes, usedAt: this.#now() });
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

  #isAvailable(id: number, wanted: Omit<WaitingUpload, "polledAt">) {
    const now = this.#now();
    // Aborted uploads neither release their memory nor poll.
    for (const [other, { usedAt }] of this.#reservations)
      if (usedAt < now - MAX_SILENCE_MS) this.#reservations.delete(other);
    for (const [other, { polledAt }] of this.#waiting)
      if (polledAt < now - POLL_INTERVAL_MS * 100) this.#waiting.delete(other);
    for (const [other, earlier] of this.#waiting) {
      if (other === id) break;
      if (this.#fitsAccount(earlier)) return false;
    }
    return this.#fitsAccount(wanted) && this.reservedBytes + wanted.bytes <= this.#limits.bytes;
  }

  #fitsAccount({ account_id, bytes }: Omit<WaitingUpload, "polledAt">) {
    return this.#sum((reservation) => reservation.account_id === account_id) + bytes <= this.#limits.perAccount;
  }

  #sum(isCounted: (reservation: Reservation) => boolean) {
    let sum = 0;
    for (const reservation of this.#reservations.values()) if (isCounted(reservation)) sum += reservation.bytes;
    return sum;
  }
}

const MIB = 1024 * 1024;
const POLL_INTERVAL_MS = 10;
/** Longer than a sender may stall before its upload fails. */
const MAX_SILENCE_MS = 60_000;

/** The memory for what arrives first: slow senders need no more for a long time. Enough for forty beginnings. */
export const BEGINNING_MEMORY = new UploadMemory({ bytes: 10 * MIB, perAccount: 3.75 * MIB, waitMs: 20_000 });
/** The memory for whole parts. Enough for those of eight large files, three of them of one account. */
export const PART_MEMORY = new UploadMemory({ bytes: 40 * MIB, perAccount: 15 * MIB, waitMs: 20_000 });
