import { systemNow } from "#shared/time/clock.ts";

type Waiting = { since: number; lastCame: number; isTrial: boolean; isOver: () => void };

/**
 * How long a group waits for lines before it is stored. Their rate does not tell: senders that wait for their answers send
 * nothing meanwhile. So every few seconds a group waits as long as one may. Where lines went on coming until the end, the
 * next groups wait as long; where all came at once, only until so many are there; and where none came, not at all.
 */
export class Gathering {
  #wanted = 1;
  #limitMs = 0;
  #lastTrial = Number.NEGATIVE_INFINITY;
  /** How many groups in a row waited long for nobody, though others had come at their beginning. */
  #bursts = 0;
  #waiting: Waiting | undefined;
  readonly #now: () => number;

  constructor(now: () => number = systemNow) {
    this.#now = now;
  }

  /** From the first line of a group on, until enough have come, or long enough. */
  async wait(): Promise<void> {
    const now = this.#now();
    const isTrial = now >= this.#lastTrial + TRIAL_EVERY_MS;
    if (isTrial) this.#lastTrial = now;
    else if (this.#wanted <= 1) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, isTrial ? LONGEST_MS : this.#limitMs);
      this.#waiting = { since: now, lastCame: now, isTrial, isOver: resolve };
    });
    clearTimeout(timer);
  }

  /** The group has so many lines now. */
  grown(lines: number) {
    const waiting = this.#waiting;
    if (!waiting) return;
    waiting.lastCame = this.#now();
    if (lines >= (waiting.isTrial ? MOST_LINES : this.#wanted)) waiting.isOver();
  }

  /** The group is stored with so many. */
  ended(lines: number) {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting) return;
    const lastMs = waiting.lastCame - waiting.since;
    this.#bursts = lines > 1 && lastMs <= LONGEST_MS / 2 ? this.#bursts + 1 : 0;
    // By chance nobody comes, or there is nobody any more: the next one looks.
    if (lines === 1 && !waiting.isTrial) this.#lastTrial = Number.NEGATIVE_INFINITY;
    else if (waiting.isTrial || (this.#isSteady && this.#bursts >= 2)) this.#learn(lines, lastMs);
    else if (!this.#isSteady) this.#wanted -= Math.ceil(Math.max(0, this.#wanted - lines) / 4);
  }

  get #isSteady() {
    return this.#limitMs === LONGEST_MS;
  }

  #learn(lines: number, lastMs: number) {
    if (lastMs > LONGEST_MS / 2) {
      this.#wanted = MOST_LINES;
      this.#limitMs = LONGEST_MS;
      return;
    }
    // Of many half: while these are stored, the others come.
    this.#wanted = lines > FEW_LINES ? Math.ceil(lines / 2) : lines;
    this.#limitMs = Math.min(2 * lastMs + SLACK_MS, LONGEST_BURST_MS);
  }
}

/** What an answer may wait for others at the most. */
const LONGEST_MS = 80;
/** The same where all come at once. */
const LONGEST_BURST_MS = 20;
const TRIAL_EVERY_MS = 5000;
const SLACK_MS = 2;
const FEW_LINES = 4;
/** In one group. */
const MOST_LINES = 64;
