import { systemNow } from "#shared/time/clock.ts";

/** Spaces requests to a server whose terms of use limit them: one begins at least `gapMs` after the one before. */
export class RequestPace {
  readonly #gapMs: number;
  readonly #now: () => number;
  #nextStart = 0;

  constructor(gapMs: number, now: () => number = systemNow) {
    this.#gapMs = gapMs;
    this.#now = now;
  }

  /** Waits until the caller may begin its request; callers begin in the order in which they came. */
  async next(): Promise<void> {
    const start = Math.max(this.#now(), this.#nextStart);
    this.#nextStart = start + this.#gapMs;
    await new Promise((resolve) => setTimeout(resolve, start - this.#now()));
  }

  /** Lets callers that come from now on wait for `ms`. */
  rest(ms: number) {
    this.#nextStart = this.#now() + ms;
  }
}
