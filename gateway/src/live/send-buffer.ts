import type { LiveEntry, LiveUpdate } from "#shared/contract/live.ts";
import { systemNow } from "#shared/time/clock.ts";
import { isQueried, keyOf, type Subscription, toTrackerFilter } from "./subscription.ts";

/** Sends states, or one text of several states joined by commas; false if the client has not read the last ones. */
type Send = (subscription: Subscription, states: string[]) => boolean;

/**
 * Holds the newest unsent state of each tracker of one subscription, and sends them no more often than the client asked
 * for. A client that reads slowly is therefore at most one state per tracker behind.
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

  /** Replaces the subscription by one of the same kind with other trackers. */
  setSubscription(subscription: Subscription) {
    this.#subscription = subscription;
    this.#includes = toTrackerFilter(subscription);
    for (const id of [...this.#waiting.keys()]) if (!this.#includes(id)) this.#waiting.delete(id);
  }

  /** Drops waiting states of trackers that the caller no longer sees. */
  dropInvisible(visible: Set<number>) {
    for (const id of [...this.#waiting.keys()]) if (!visible.has(id)) this.#waiting.delete(id);
  }

  includes(tracker_id: number): boolean {
    return this.#includes(tracker_id);
  }

  /**
   * Buffers the states of visible trackers. An update whose trackers all belong to the subscription is sent at once as one
   * text, unless the socket is held.
   */
  addUpdate(update: LiveUpdate, visible: Set<number>, isHeld: boolean) {
    const { type, format } = this.#subscription;
    const { tracker_ids } = update;
    if (isQueried(this.#subscription)) {
      for (const id of tracker_ids) if (visible.has(id) && this.#includes(id)) this.put(id, String(id));
      return;
    }
    const states = update.states[format];
    if (!states || tracker_ids.length === 0) return;
    const isForAll = type === "state_batch" && tracker_ids.every((id) => visible.has(id) && this.#includes(id));
    if (isForAll && !isHeld && this.#trySendNow(states.text)) return;
    let start = 0;
    for (const [index, id] of tracker_ids.entries()) {
      const end = states.ends[index] ?? start;
      if (visible.has(id) && this.#includes(id)) this.put(id, states.text.slice(start, end));
      start = end + 1;
    }
  }

  put(tracker_id: number, state: string) {
    this.#waiting.set(tracker_id, state);
  }

  /** Buffers the first states of trackers that became visible. */
  putEntries(entries: LiveEntry[]) {
    const isQueriedData = isQueried(this.#subscription);
    for (const { tracker_id, states } of entries) {
      const text = isQueriedData ? String(tracker_id) : states[this.#subscription.format];
      if (text && this.#includes(tracker_id)) this.put(tracker_id, text);
    }
  }

  /** Buffers trackers whose data is still to be queried. */
  putForQuery(tracker_ids: number[]) {
    for (const id of tracker_ids) if (this.#includes(id)) this.put(id, String(id));
  }

  /** Removes and returns a waiting state, for the first message of a subscription. */
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

  /** Sends at once unless older states wait, the rate does not allow it, or the client does not read. */
  #trySendNow(states: string): boolean {
    if (this.#isScheduled || this.#waiting.size > 0) return false;
    if (this.#sentAt + this.#subscription.rateMs > this.#now()) return false;
    if (!this.#send(this.#subscription, [states])) return false;
    this.#sentAt = this.#now();
    return true;
  }

  /** Counts the first states of a subscription, which do not pass this buffer, as sent now. */
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
