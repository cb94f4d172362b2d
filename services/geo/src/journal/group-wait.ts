import { systemNow } from "#shared/time/clock.ts";

type CurrentWait = { since: number; lastLineAt: number; isTrial: boolean; end: () => void };

/**
 * Decides how long a group of lines waits before it is stored. A rate of lines would mislead, as senders wait for their
 * answers. So every few seconds one group waits for the maximum: if lines kept coming, the next groups wait as long; if
 * all came at once, until as many are there; if none came, not at all.
 */
export class GroupWait {
  #targetLines = 1;
  #maxWaitMs = 0;
  #lastTrial = Number.NEGATIVE_INFINITY;
  /** Consecutive groups of several lines, all of which came in the first half of the longest wait. */
  #bursts = 0;
  #waiting: CurrentWait | undefined;
  readonly #now: () => number;

  constructor(now: () => number = systemNow) {
    this.#now = now;
  }

  /** Resolves once the group has enough lines or has waited long enough; called for its first line. */
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

  noteSize(lines: number) {
    const current = this.#waiting;
    if (!current) return;
    current.lastLineAt = this.#now();
    if (lines >= (current.isTrial ? MAX_LINES_PER_GROUP : this.#targetLines)) current.end();
  }

  /** Learns from a stored group how long the next one should wait. */
  noteStored(lines: number) {
    const current = this.#waiting;
    this.#waiting = undefined;
    if (!current) return;
    const lastMs = current.lastLineAt - current.since;
    this.#bursts = lines > 1 && lastMs <= MAX_WAIT_MS / 2 ? this.#bursts + 1 : 0;
    // A single line may be chance, or the other senders have stopped: the next group measures again.
    if (lines === 1 && !current.isTrial) this.#lastTrial = Number.NEGATIVE_INFINITY;
    else if (current.isTrial || (this.#isSteady && this.#bursts >= 2)) this.#learn(lines, lastMs);
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
    // Half of a large group: while these lines are stored, the others arrive.
    this.#targetLines = lines > SMALL_GROUP_LINES ? Math.ceil(lines / 2) : lines;
    this.#maxWaitMs = Math.min(2 * lastMs + SLACK_MS, MAX_BURST_WAIT_MS);
  }
}

/** The longest that a device's answer is delayed. */
const MAX_WAIT_MS = 80;
/** The longest delay while lines come in bursts. */
const MAX_BURST_WAIT_MS = 20;
const TRIAL_INTERVAL_MS = 5000;
const SLACK_MS = 2;
const SMALL_GROUP_LINES = 4;
const MAX_LINES_PER_GROUP = 64;
