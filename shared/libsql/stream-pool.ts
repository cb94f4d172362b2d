import { systemNow } from "../time/clock.ts";

/**
 * A connection of the database server, which takes longer to open than most statements to run. The baton of its last
 * answer continues it.
 */
export type Stream = { baton: string; base_url?: string };

/** `stream` is an open one, if any. With a `place` the stream stays open for the next call. */
export type AcquiredStream = { stream?: Stream; place?: number };

/**
 * The open streams of an isolate. Calls share only text and numbers: promises and sockets of one call are useless to
 * another.
 */
export class StreamPool {
  /** The one used last is at the end. */
  #idle: { stream: Stream; since: number }[] = [];
  /** Times at which places were acquired, by number. */
  #taken = new Map<number, number>();
  #places = 0;
  readonly #most: number;
  readonly #now: () => number;

  constructor(most: number, now: () => number = systemNow) {
    this.#now = now;
    this.#most = most;
  }

  acquire(): AcquiredStream {
    const now = this.#now();
    this.#idle = this.#idle.filter(({ since }) => since > now - IDLE_MS);
    const newest = this.#idle.pop();
    if (!newest && this.#isFull(now)) return {};
    const place = this.#places++;
    this.#taken.set(place, now);
    return { stream: newest?.stream, place };
  }

  /** Returns a place; without a stream, the next call opens a new one. */
  release({ place }: AcquiredStream, stream?: Stream) {
    // A lapsed place has been given to another call.
    const isHeld = place !== undefined && this.#taken.delete(place);
    if (isHeld && stream) this.#idle.push({ stream, since: this.#now() });
  }

  #isFull(now: number) {
    if (this.#idle.length + this.#taken.size < this.#most) return false;
    // An aborted call never returns its place; by then the server has closed its stream.
    for (const [place, taken] of this.#taken) if (taken < now - LAPSED_MS) this.#taken.delete(place);
    return this.#idle.length + this.#taken.size >= this.#most;
  }
}

/** The server closes streams after ten idle seconds. */
const IDLE_MS = 8_000;
/** Longer than a statement's time limit and the server's ten seconds behind it. */
const LAPSED_MS = 30_000;
