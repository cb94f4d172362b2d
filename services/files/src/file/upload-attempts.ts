import { systemNow } from "#shared/time/clock.ts";

/** An attempt to upload a content with a ticket. Its holder calls `end` in any case. */
export type UploadAttempt = {
  /** True once a newer attempt wants the ticket: the rest of the body is not received any more. */
  readonly isSuperseded: boolean;
  end(): void;
};
type CurrentAttempt = { isSuperseded: boolean; isOver: boolean };

/**
 * Lets an isolate receive one attempt at a time per ticket. The newest wins: the sender of an older one has usually lost
 * its connection. An older attempt that is being received has `GRACE_MS` to end by itself.
 */
export class UploadAttempts {
  readonly #current = new Map<number, CurrentAttempt>();
  readonly #now: () => number;

  constructor(now: () => number = systemNow) {
    this.#now = now;
  }

  /** Begins an attempt once older ones are over. It may be superseded already, by one that came meanwhile. */
  async begin(file_id: number): Promise<UploadAttempt> {
    const older = this.#current.get(file_id);
    const attempt: CurrentAttempt = { isSuperseded: false, isOver: false };
    this.#current.set(file_id, attempt);
    if (older) await this.#waitFor(older, attempt);
    return {
      get isSuperseded() {
        return attempt.isSuperseded;
      },
      end: () => {
        attempt.isOver = true;
        if (this.#current.get(file_id) === attempt) this.#current.delete(file_id);
      },
    };
  }

  /**
   * Waits until the older attempt is over, and has it end after the grace, or at once if a third attempt waits behind
   * this one. Polls, because an attempt whose Worker call was aborted never ends.
   */
  async #waitFor(older: CurrentAttempt, attempt: CurrentAttempt) {
    const began = this.#now();
    while (!older.isOver && this.#now() < began + MAX_WAIT_MS) {
      if (attempt.isSuperseded || this.#now() >= began + GRACE_MS) older.isSuperseded = true;
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }
}

/** The attempts of this isolate. */
export const UPLOAD_ATTEMPTS = new UploadAttempts();

const GRACE_MS = 1_000;
/** The bucket has stored what an ended attempt received long before. */
const MAX_WAIT_MS = 10_000;
const POLL_INTERVAL_MS = 50;
