import { systemNow } from "#shared/time/clock.ts";

type CurrentWait = { since: number; lastLineAt: number; isTrial: boolean; end: () => void };

/**
 * How long a group waits for lines before it is stored. Their rate does not tell: senders that wait for their answers send
 * nothing meanwhile. So every few seconds a group waits as long as one may. Where lines went on coming until the end, the
 * next groups wait as long; where all came at once, only until so many are there; and where none came, not at all.
 */
export class GroupWait {
  #targetLines = 1;
  #maxWaitMs = 0;
  #lastTrial = Number.NEGATIVE_INFINITY;
  /** How many groups in a row waited long for nobody, though others had come at their beginning. */
  #bursts = 0;
  #waiting: CurrentWait | undefined;
  readonly #now: () => number;

  constructor(now: () => number = systemNow) {
    this.#now = now;
  }

  /** From the first line of a group on, until enough have come, or long enough. */
  async wait(): Promise<void> {
    const now = this.#now();
    const isTrial = now >= this.#lastTrial + TRIAL_INTERVAL_MS;
    if (isTrial) this.#lastTrial = now;
    else if (this.#targetLines <= 1) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, isTrial ? MAX_WAIT_MS : this.#maxWaitMs);
      this.#waiting = { since: now, lastLineAt: now, isTrial, end: resolve };
    });
    clearTimeout(timer);
  }

  /** The group has so many lines now. */
  noteSize(lines: number) {
    const waiting = this.#waiting;
    if (!waiting) return;
    waiting.lastLineAt = this.#now();
    if (lines >= (waiting.isTrial ? MAX_LINES_PER_GROUP : this.#targetLines)) waiting.end();
  }

  /** The group is stored with so many. */
  noteStored(lines: number) {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting) return;
    const lastMs = waiting.lastLineAt - waiting.since;
    this.#bursts = lines > 1 && lastMs <= MAX_WAIT_MS / 2 ? this.#bursts + 1 : 0;
    // By chance nobody comes, or there is nobody any more: the next one looks.
    if (lines === 1 && !waiting.isTrial) this.#lastTrial = Number.NEGATIVE_INFINITY;
    else if (waiting.isTrial || (this.#isSteady && this.#bursts >= 2)) this.#learn(lines, lastMs);
    else if (!this.#isSteady) this.#targetLines -= Math.ceil(Math.max(0, this.#targetLines - lines) / 4);
  }

  get #isSteady() {
    return this.#maxWaitMs === MAX_WAIT_MS;
  }

  #learn(lines: number, lastMs: number) {
    if (lastMs > MAX_WAIT_MS / 2) {
      this.#targetLines = MAX_LINES_PER_GROUP;
      this.#maxWaitMs = MAX_WAIT_MS;
      return;
    }
    // Of many half: while these are stored, the others come.
    this.#targetLines = lines > SMALL_GROUP_LINES ? Math.ceil(lines / 2) : lines;
    this.#maxWaitMs = Math.min(2 * lastMs + SLACK_MS, MAX_BURST_WAIT_MS);
  }
}

/** What an answer may wait for others at the most. */
const MAX_WAIT_MS = 80;
/** The same where all come at once. */
const MAX_BURST_WAIT_MS = 20;
const TRIAL_INTERVAL_MS = 5000;
const SLACK_MS = 2;
const SMALL_GROUP_LINES = 4;
/** In one group. */
const MAX_LINES_PER_GROUP = 64;
