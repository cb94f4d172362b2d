type Waiting = { since: number; lastCame: number; isTrial: boolean; isOver: () => void };

/**
 * How long a group waits for lines before it is stored. Their rate does not tell: senders that wait for their answers send
 * nothing meanwhile. So every few seconds a group waits as long as one may. Where lines went on coming until the end, the
 * next groups wait as long; where all came at once, for as many; and where none came, not at all.
 */
export class Gathering {
  #wanted = 1;
  #limitMs = 0;
  #lastTrial = Number.NEGATIVE_INFINITY;
  #waiting: Waiting | undefined;

  /** From the first line of a group on, until enough have come, or long enough. */
  async wait(): Promise<void> {
    const now = performance.now();
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
    waiting.lastCame = performance.now();
    if (lines >= (waiting.isTrial ? MOST_LINES : this.#wanted)) waiting.isOver();
  }

  /** The group is stored with so many. */
  ended(lines: number) {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting) return;
    if (waiting.isTrial) this.#learn(lines, waiting.lastCame - waiting.since);
    // By chance, or there are none any more: the next one looks.
    else if (lines === 1) this.#lastTrial = Number.NEGATIVE_INFINITY;
    else if (this.#limitMs < LONGEST_MS && lines < this.#wanted)
      this.#wanted = Math.max(lines, this.#wanted - Math.ceil((this.#wanted - lines) / 4));
  }

  #learn(lines: number, lastMs: number) {
    const isBurst = lastMs <= LONGEST_MS / 2;
    this.#wanted = isBurst ? lines : MOST_LINES;
    this.#limitMs = isBurst ? 2 * lastMs + SLACK_MS : LONGEST_MS;
  }
}

/** What an answer may wait for others at the most. */
const LONGEST_MS = 80;
const TRIAL_EVERY_MS = 5000;
const SLACK_MS = 2;
/** In one group. */
const MOST_LINES = 64;
