import { keepAlive } from "#shared/libsql/keep-alive.ts";
import { ApiError } from "../error/api-error.ts";
import { systemNow } from "../time/clock.ts";

type PendingRead<Request, Answer> = { request: Request; resolve(answer: Answer): void; reject(thrown: unknown): void };
/** Requests that go together, each still for itself; answers stand in their order. All fail where nobody knows the answers. */
type Send<Request, Answer> = (requests: Request[], longestMs: number) => Promise<Answer[]>;

/**
 * Look-ups of single rows. To send one takes a Worker, and its server to receive it, longer than to find the row. So where
 * some are under way, further ones wait and go together as soon as one is answered, or a moment later: what hangs holds up
 * nobody.
 *
 * Whoever sends for others goes on where its own caller has gone. Of a call that is aborted no line of code runs any more:
 * so each that waits begins by itself when its moment is over, and does not wait for the answer for good.
 */
export class ReadBatcher<Request, Answer> {
  #waiting: PendingRead<Request, Answer>[] = [];
  #underWay = new Set<{ began: number; count: number }>();
  /** When the latest began. */
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
      // Of a call that was aborted nobody says that it is answered.
      if (one.began + this.#longestMs < now) this.#underWay.delete(one);
      else count += one.count;
    }
    return count < MAX_SINGLE_REQUESTS ? 0 : this.#latest + GAP_MS - now;
  }

  /** Sends all that wait. What is not of the caller alone goes on without it. */
  #begin(rounds: number, own?: PendingRead<Request, Answer>) {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MAX_READS_PER_REQUEST);
      const led = this.#lead(group, rounds);
      if (group.length > 1 || group[0] !== own) keepAlive(led);
    }
  }

  /** Those who came meanwhile are next; not without end, for in one call a Worker may send only so many requests. */
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

/** Sent each for itself: as many as a Worker keeps streams to a server that is elsewhere. */
const MAX_SINGLE_REQUESTS = 4;
const MAX_READS_PER_REQUEST = 32;
const MAX_ROUNDS = 100;
const GAP_MS = 6;
