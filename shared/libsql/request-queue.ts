import { keepAlive } from "#shared/background/keep-alive.ts";
import { Slots } from "../background/slots.ts";
import { ApiError } from "../error/api-error.ts";
import { systemNow } from "../time/clock.ts";

/** `size` in characters, as sent. */
export type SizedRequest = { size: number };
/** A request that has not been sent by `until` is dropped. */
type PendingRequest<Request, Answer> = {
  request: Request;
  until: number;
  resolve(answer: Answer): void;
  reject(thrown: unknown): void;
};
/** Sends several requests as one; answers stand in their order. An error of the whole rejects all. */
type Send<Request, Answer> = (requests: Request[], longestMs: number) => Promise<Answer[]>;
/**
 * `strict`: a group is sent while fewer than `most` groups are under way, and `gapMs` after the latest of them. `relaxed`:
 * at once while fewer than `most` requests are under way, else `gapMs` after the latest group.
 */
type Pace = { kind: "strict" | "relaxed"; most: number; gapMs: number };

/**
 * Sends a few groups of requests at a time, and joins waiting requests in order of arrival. A group goes on when the
 * call that sent it has ended, because it carries requests of other calls too.
 */
export class RequestQueue<Request extends SizedRequest, Answer> {
  #waiting: PendingRequest<Request, Answer>[] = [];
  /** When the latest group was sent. */
  #latest = 0;
  readonly #slots: Slots;
  readonly #pace: Pace;
  readonly #send: Send<Request, Answer>;
  readonly #now: () => number;

  constructor(pace: Pace, send: Send<Request, Answer>, now: () => number = systemNow) {
    this.#slots = new Slots(pace.most, LOST_AFTER_MS, now);
    this.#pace = pace;
    this.#send = send;
    this.#now = now;
  }

  /** Throws 14 when the request was not sent, or not answered, by `until`. */
  async ask(request: Request, until: number): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const pending = { request, until, resolve, reject };
    this.#waiting.push(pending);
    this.#begin();
    if (!this.#waiting.includes(pending)) return promise;
    // The call that would send or answer it may have been aborted.
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
    if (this.#waiting.length === 0) return;
    const early = this.#followsLatest() ? this.#latest + this.#pace.gapMs - this.#now() : 0;
    if (early > 0) setTimeout(() => this.#begin(), early);
    else keepAlive(this.#lead());
  }

  #isStrict() {
    return this.#pace.kind === "strict";
  }

  #followsLatest() {
    return this.#isStrict() ? this.#slots.countTaken() > 0 : this.#slots.areFull();
  }

  /** Sends one group after the other, for as long and as often as a Worker may work for other calls. */
  async #lead() {
    const last = this.#now() + MAX_LEADING_MS;
    for (let groups = 0; groups < MAX_GROUPS_PER_CALL && this.#now() < last; groups++) {
      const group = this.#isStrict() && this.#slots.areFull() ? [] : this.#nextGroup();
      if (group.length === 0) return;
      this.#latest = this.#now();
      const taken = this.#slots.take(this.#isStrict() ? 1 : group.length);
      await this.#sendGroup(group);
      this.#slots.free(taken);
    }
  }

  #nextGroup() {
    this.#waiting = this.#waiting.filter(({ until }) => until > this.#now());
    return this.#waiting.splice(0, this.#countTogether());
  }

  async #sendGroup(group: PendingRequest<Request, Answer>[]) {
    const longestMs = Math.max(...group.map(({ until }) => until)) - this.#now();
    try {
      const requests = group.map(({ request }) => request);
      const answers = await this.#send(requests, longestMs);
      for (const [index, answer] of answers.entries()) group[index]?.resolve(answer);
    } catch (thrown) {
      for (const { reject } of group) reject(thrown);
    }
  }

  /** Number of waiting requests, in order of arrival, that one group holds. */
  #countTogether() {
    let size = 0;
    const tooMany = this.#waiting.findIndex(({ request }, index) => {
      size += request.size;
      return index === MAX_REQUESTS_PER_GROUP || (index > 0 && size > MAX_CHARACTERS_PER_GROUP);
    });
    return tooMany < 0 ? this.#waiting.length : tooMany;
  }
}

const MAX_REQUESTS_PER_GROUP = 32;
const MAX_CHARACTERS_PER_GROUP = 256 * 1024;
/** Within the 30 seconds that a Worker has after its answer, the last group included. */
const MAX_LEADING_MS = 5_000;
/** A call may send a limited number of requests. */
const MAX_GROUPS_PER_CALL = 100;
const LOST_AFTER_MS = 6_000;
const WATCH_MS = 250;
