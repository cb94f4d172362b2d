import { keepAlive } from "#shared/libsql/keep-alive.ts";
import { ApiError } from "../error/api-error.ts";
import { isBusy } from "../error/failure.ts";
import { systemNow } from "../time/clock.ts";

/** `size` in characters, as sent. */
export type SizedRequest = { size: number };
type PendingWrite<Write, Answer> = {
  write: Write;
  /** A write that has not begun by then is dropped. */
  until: number;
  resolve(answer: Answer): void;
  reject(thrown: unknown): void;
};
/**
 * Sends several writes as one request; answers stand in their order. An error of the request as a whole rejects all.
 */
type Send<Write, Answer> = (writes: Write[], longestMs: number) => Promise<Answer[]>;

/**
 * Sends a few write requests at a time; waiting writes are joined in order of arrival. Many writers that wait for the
 * libSQL server's lock can bring it to a standstill. A request goes on when the call that sent it has ended, because it
 * carries writes of other calls too.
 */
export class WriteQueue<Write extends SizedRequest, Answer> {
  #waiting: PendingWrite<Write, Answer>[] = [];
  /** Start times of the requests under way, by ticket. */
  #begun = new Map<number, number>();
  #tickets = 0;
  /** When the latest request was sent. */
  #latest = 0;
  readonly #most: number;
  readonly #send: Send<Write, Answer>;
  readonly #now: () => number;

  constructor(most: number, send: Send<Write, Answer>, now: () => number = systemNow) {
    this.#now = now;
    this.#most = most;
    this.#send = send;
  }

  /** Throws 14 when the write was not sent, or not answered, by `until`. */
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

  /** Sends pending writes one group after the other, for as long as a Worker may work for other calls. */
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

  /** Number of pending writes, in order of arrival, that fit one request. */
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
    // A request whose Durable Object was reset never reports its end.
    const lapsed = this.#now() - LOST_AFTER_MS;
    for (const [ticket, begun] of this.#begun) if (begun < lapsed) this.#begun.delete(ticket);
    return this.#begun.size < this.#most;
  }
}

/** Even two writers can block each other for as long as the server's lock wait; such a write had no effect. */
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
/** Within the 30 seconds that a Worker has after its answer, the last request included. */
const MAX_LEADING_MS = 5_000;
const LOST_AFTER_MS = 6_000;
const WATCH_MS = 250;
/**
 * Writes that follow each other closely are sent together, and arrive when the server has finished the previous ones.
 */
const GAP_MS = 6;
