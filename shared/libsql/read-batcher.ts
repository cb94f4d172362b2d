import { keepAlive } from "#shared/libsql/keep-alive.ts";
import { ApiError } from "../error/api-error.ts";
import { systemNow } from "../time/clock.ts";

type PendingRead<Request, Answer> = { request: Request; resolve(answer: Answer): void; reject(thrown: unknown): void };
/** Sends several requests as one; answers stand in their order. An error of the request as a whole rejects all. */
type Send<Request, Answer> = (requests: Request[], longestMs: number) => Promise<Answer[]>;

/**
 * Joins reads of single rows: while some are under way, further ones wait a moment and are sent as one request, because
 * a request costs more than finding a row. Each pending read also starts itself when its moment has passed, since the
 * call that would have sent it may have been aborted.
 */
export class ReadBatcher<Request, Answer> {
  #waiting: PendingRead<Request, Answer>[] = [];
  #underWay = new Set<{ began: number; count: number }>();
  /** When the latest request was sent. */
  #latest = 0;
  readonly #longestMs: number;
  readonly #send: Send<Request, Answer>;
  readonly #now: () => number;

  constructor(longestMs: number, send: Send<Request, Answer>, now: () => number = systemNow) {
    this.#now = now;
    this.#longestMs = longestMs;
    this.#send = send;
  }

  async read(request: Request): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const own = { request, resolve, reject };
    this.#waiting.push(own);
    const waitMs = this.#waitMs(this.#now());
    if (waitMs <= 0) {
      this.#begin(MAX_ROUNDS, own);
      return promise;
    }
    let timer = setTimeout(() => {
      this.#begin(MAX_ROUNDS);
      timer = setTimeout(() => reject(new ApiError(14)), this.#longestMs);
    }, waitMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #waitMs(now: number): number {
    let count = 0;
    for (const one of this.#underWay) {
      // A call that was aborted never reports its end.
      if (one.began + this.#longestMs < now) this.#underWay.delete(one);
      else count += one.count;
    }
    return count < MAX_SINGLE_REQUESTS ? 0 : this.#latest + GAP_MS - now;
  }

  /** Sends all pending reads. Groups with reads of other calls continue after this call has ended. */
  #begin(rounds: number, own?: PendingRead<Request, Answer>) {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MAX_READS_PER_REQUEST);
      const led = this.#lead(group, rounds);
      if (group.length > 1 || group[0] !== own) keepAlive(led);
    }
  }

  /**
   * Sends the group, then the reads that arrived meanwhile; limited rounds, as a call may send a limited number of
   * requests.
   */
  async #lead(group: PendingRead<Request, Answer>[], rounds: number) {
    const one = { began: this.#now(), count: group.length };
    this.#latest = one.began;
    this.#underWay.add(one);
    try {
      const requests = group.map(({ request }) => request);
      const answers = await this.#send(requests, this.#longestMs);
      for (const [index, answer] of answers.entries()) group[index]?.resolve(answer);
    } catch (thrown) {
      for (const { reject } of group) reject(thrown);
    }
    this.#underWay.delete(one);
    if (rounds > 1) this.#begin(rounds - 1);
  }
}

/** A Worker keeps this many streams to a remote server. */
const MAX_SINGLE_REQUESTS = 4;
const MAX_READS_PER_REQUEST = 32;
const MAX_ROUNDS = 100;
const GAP_MS = 6;
