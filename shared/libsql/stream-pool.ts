import { systemNow } from "../time/clock.ts";

/**
 * A stream to the database is a connection there, which takes longer to open than most statements to run. Whoever has the
 * baton of its last answer may go on with it.
 */
export type Stream = { baton: string; base_url?: string };

/** What a call may use: a stream that is open, or else a new one. In a place, it stays open for the next call. */
export type AcquiredStream = { stream?: Stream; place?: number };

/**
 * The streams that an isolate keeps open. Calls share nothing but text and numbers: one call's promises and sockets are
 * of no use to another.
 */
export class StreamPool {
  /** The one used last stands at the end. */
  #idle: { stream: Stream; since: number }[] = [];
  /** When those in use were taken, by their places. */
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

  /** For the next call, where the stream can go on; without one, the place is free for a new stream. */
  release({ place }: AcquiredStream, stream?: Stream) {
    // A place that lapsed has another by now.
    const isHeld = place !== undefined && this.#taken.delete(place);
    if (isHeld && stream) this.#idle.push({ stream, since: this.#now() });
  }

  #isFull(now: number) {
    if (this.#idle.length + this.#taken.size < this.#most) return false;
    // A call that is aborted never gives its place back; by then the server has closed its stream.
    for (const [place, taken] of this.#taken) if (taken < now - LAPSED_MS) this.#taken.delete(place);
    return this.#idle.length + this.#taken.size >= this.#most;
  }
}

/** The server closes what nobody used for ten seconds. */
const IDLE_MS = 8_000;
/** Longer than a statement may take, and the server's ten seconds after it. */
const LAPSED_MS = 30_000;
