import { keepAlive } from "#shared/libsql/keep-alive.ts";
import { ApiError } from "../error/api-error.ts";
import { isBusy } from "../error/failure.ts";
import { systemNow } from "../time/clock.ts";

/** So many characters as it is sent. */
export type SizedRequest = { size: number };
type PendingWrite<Write, Answer> = {
  write: Write;
  /** What has not begun by then never does. */
  until: number;
  resolve(answer: Answer): void;
  reject(thrown: unknown): void;
};
/** Writes that go together, each still for itself; answers stand in their order. All fail where nobody knows what was done. */
type Send<Write, Answer> = (writes: Write[], longestMs: number) => Promise<Answer[]>;

/**
 * Lets a few requests at a time write to a database, which does one after the other whatever happens. Where several wait
 * in the libSQL server itself for its lock, it comes to a standstill now and then: all of them wait, and nobody has it.
 * Whoever has to wait here goes with all others that wait, in the order in which they came, as soon as a turn is free.
 *
 * Who begins a turn sends for others too, so it goes on where its own caller has gone. Of a call that is aborted no line
 * of code runs any more: what it had waiting is written whole, unless its time is over before.
 */
export class WriteQueue<Write extends SizedRequest, Answer> {
  #waiting: PendingWrite<Write, Answer>[] = [];
  /** When those under way began, by their tickets. */
  #begun = new Map<number, number>();
  #tickets = 0;
  /** When the latest began. */
  #latest = 0;
  readonly #most: number;
  readonly #send: Send<Write, Answer>;
  readonly #now: () => number;

  constructor(most: number, send: Send<Write, Answer>, now: () => number = systemNow) {
    this.#now = now;
    this.#most = most;
    this.#send = send;
  }

  /** Answers 14 where it had no turn by `until`, or no answer. */
  async write(write: Write, until: number): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const waiting = { write, until, resolve, reject };
    this.#waiting.push(waiting);
    this.#begin();
    const watch = setInterval(() => {
      if (this.#now() >= until) reject(new ApiError(14));
      this.#begin();
    }, WATCH_MS);
    try {
      return await promise;
    } finally {
      clearInterval(watch);
    }
  }

  #begin() {
    if (this.#waiting.length === 0 || !this.#isFree()) return;
    const early = this.#begun.size > 0 ? this.#latest + GAP_MS - this.#now() : 0;
    if (early > 0) setTimeout(() => this.#begin(), early);
    else keepAlive(this.#lead());
  }

  /** One turn after the other while somebody waits, not longer than a Worker may go on for others. */
  async #lead() {
    const [ticket, last] = [this.#tickets++, this.#now() + MAX_LEADING_MS];
    do {
      this.#latest = this.#now();
      this.#begun.set(ticket, this.#latest);
      await this.#sendNext();
      this.#begun.delete(ticket);
    } while (this.#waiting.length > 0 && this.#isFree() && this.#now() < last);
  }

  async #sendNext() {
    const now = this.#now();
    this.#waiting = this.#waiting.filter(({ until }) => until > now);
    const group = this.#waiting.splice(0, this.#countTogether());
    if (group.length === 0) return;
    const longestMs = Math.max(...group.map(({ until }) => until)) - now;
    try {
      const answers = await this.#send(
        group.map(({ write }) => write),
        longestMs,
      );
      for (const [index, answer] of answers.entries()) group[index]?.resolve(answer);
    } catch (thrown) {
      for (const { reject } of group) reject(thrown);
    }
  }

  /** How many of those who came first make one request. */
  #countTogether() {
    let size = 0;
    const tooMany = this.#waiting.findIndex(({ write }, index) => {
      size += write.size;
      return index === MAX_WRITES_PER_REQUEST || (index > 0 && size > MAX_REQUEST_CHARACTERS);
    });
    return tooMany < 0 ? this.#waiting.length : tooMany;
  }

  #isFree() {
    if (this.#begun.size < this.#most) return true;
    // Where an isolate's object is reset in the midst of a turn, that is never given back.
    const lapsed = this.#now() - LOST_AFTER_MS;
    for (const [ticket, begun] of this.#begun) if (begun < lapsed) this.#begun.delete(ticket);
    return this.#begun.size < this.#most;
  }
}

/** Now and then even two get into each other's way, for as long as the server lets one wait: nothing was done. */
export async function retryWhileBusy<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (thrown) {
      if (!isBusy(thrown) || attempt === ATTEMPTS) throw thrown;
    }
  }
}

const ATTEMPTS = 3;
const MAX_WRITES_PER_REQUEST = 32;
const MAX_REQUEST_CHARACTERS = 256 * 1024;
/** Within the thirty seconds that a Worker has after its answer, with the longest of its turns. */
const MAX_LEADING_MS = 5_000;
const LOST_AFTER_MS = 6_000;
const WATCH_MS = 250;
/** Those who come in the wake of one answer go together, and reach the server when it has done what went before. */
const GAP_MS = 6;
