import type { LiveEntry, LiveUpdate } from "#shared/contract/live.ts";
import { systemNow } from "#shared/time/clock.ts";
import { isQueried, keyOf, type Subscription, toTrackerFilter } from "./subscription.ts";

/** Sends states of a subscription, or several that are joined already; false: the client has not read the last. */
type Send = (subscription: Subscription, states: string[]) => boolean;

/**
 * What is to be sent of one subscription: of each tracker the newest state alone, and not more often than the client
 * asked for. A client that reads slowly is so never further behind than one state of each tracker.
 */
export class SendBuffer {
  #subscription: Subscription;
  #includes: (tracker_id: number) => boolean;
  #send: Send;
  #waiting = new Map<number, string>();
  #isScheduled = false;
  #sentAt = 0;
  readonly #now: () => number;

  constructor(subscription: Subscription, send: Send, now: () => number = systemNow) {
    this.#now = now;
    this.#subscription = subscription;
    this.#includes = toTrackerFilter(subscription);
    this.#send = send;
  }

  get subscription(): Subscription {
    return this.#subscription;
  }

  get key(): string {
    return keyOf(this.#subscription);
  }

  /** The same with more or fewer trackers. */
  setSubscription(subscription: Subscription) {
    this.#subscription = subscription;
    this.#includes = toTrackerFilter(subscription);
    for (const id of [...this.#waiting.keys()]) if (!this.#includes(id)) this.#waiting.delete(id);
  }

  /** What has waited is not sent of trackers that the caller sees no more. */
  dropInvisible(visible: Set<number>) {
    for (const id of [...this.#waiting.keys()]) if (!visible.has(id)) this.#waiting.delete(id);
  }

  includes(tracker_id: number): boolean {
    return this.#includes(tracker_id);
  }

  /** Of the trackers that are visible; what may be sent as it was written is sent at once, unless the socket is held. */
  addUpdate(news: LiveUpdate, visible: Set<number>, isHeld: boolean) {
    const { type, format } = this.#subscription;
    const { tracker_ids } = news;
    if (isQueried(this.#subscription)) {
      for (const id of tracker_ids) if (visible.has(id) && this.#includes(id)) this.put(id, String(id));
      return;
    }
    const written = news.states[format];
    if (!written || tracker_ids.length === 0) return;
    const isWhole = type === "state_batch" && tracker_ids.every((id) => visible.has(id) && this.#includes(id));
    if (isWhole && !isHeld && this.#trySendNow(written.text)) return;
    let start = 0;
    for (const [index, id] of tracker_ids.entries()) {
      const end = written.ends[index] ?? start;
      if (visible.has(id) && this.#includes(id)) this.put(id, written.text.slice(start, end));
      start = end + 1;
    }
  }

  put(tracker_id: number, state: string) {
    this.#waiting.set(tracker_id, state);
  }

  /** Of trackers that the socket has not been told of before. */
  putEntries(entries: LiveEntry[]) {
    const isAsked = isQueried(this.#subscription);
    for (const { tracker_id, states } of entries) {
      const text = isAsked ? String(tracker_id) : states[this.#subscription.format];
      if (text && this.#includes(tracker_id)) this.put(tracker_id, text);
    }
  }

  /** These trackers are still to be asked for. */
  putForQuery(tracker_ids: number[]) {
    for (const id of tracker_ids) if (this.#includes(id)) this.put(id, String(id));
  }

  /** What is sent in another way is not sent again. */
  takeWaiting(tracker_id: number): string | undefined {
    const state = this.#waiting.get(tracker_id);
    this.#waiting.delete(tracker_id);
    return state;
  }

  flush() {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    const waitMs = this.#sentAt + this.#subscription.rateMs - this.#now();
    if (waitMs > 0) return this.#flushAfter(waitMs);
    if (!this.#send(this.#subscription, [...this.#waiting.values()])) return this.#flushAfter(RETRY_MS);
    this.#waiting.clear();
    this.#sentAt = this.#now();
  }

  /** Only where nothing waits that would then come later. */
  #trySendNow(states: string): boolean {
    if (this.#isScheduled || this.#waiting.size > 0) return false;
    if (this.#sentAt + this.#subscription.rateMs > this.#now()) return false;
    if (!this.#send(this.#subscription, [states])) return false;
    this.#sentAt = this.#now();
    return true;
  }

  /** The first states of a subscription count as sent. */
  markSent() {
    this.#sentAt = this.#now();
  }

  #flushAfter(ms: number) {
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      this.flush();
    }, ms);
  }
}

const RETRY_MS = 1000;
