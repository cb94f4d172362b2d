import { keyOf, membership, type Subscription } from "./subscription.ts";

/** Sends these states of a subscription; false: the client has not read what was sent before. */
type Send = (subscription: Subscription, states: string[]) => boolean;

/**
 * What is to be sent of one subscription: of each tracker the newest state alone, and not more often than the client
 * asked for. A client that reads slowly is so never further behind than one state of each tracker.
 */
export class Outlet {
  #subscription: Subscription;
  #has: (tracker_id: number) => boolean;
  #send: Send;
  #waiting = new Map<number, string>();
  #isPlanned = false;
  #sentAt = 0;

  constructor(subscription: Subscription, send: Send) {
    this.#subscription = subscription;
    this.#has = membership(subscription);
    this.#send = send;
  }

  get subscription(): Subscription {
    return this.#subscription;
  }

  get key(): string {
    return keyOf(this.#subscription);
  }

  /** The same with more or fewer trackers. */
  change(subscription: Subscription) {
    this.#subscription = subscription;
    this.#has = membership(subscription);
    for (const id of [...this.#waiting.keys()]) if (!this.#has(id)) this.#waiting.delete(id);
  }

  /** What has waited is not sent of trackers that the caller sees no more. */
  keepOnly(visible: Set<number>) {
    for (const id of [...this.#waiting.keys()]) if (!visible.has(id)) this.#waiting.delete(id);
  }

  has(tracker_id: number): boolean {
    return this.#has(tracker_id);
  }

  put(tracker_id: number, state: string) {
    this.#waiting.set(tracker_id, state);
  }

  /** What is sent in another way is not sent again. */
  take(tracker_id: number): string | undefined {
    const state = this.#waiting.get(tracker_id);
    this.#waiting.delete(tracker_id);
    return state;
  }

  flush() {
    if (this.#isPlanned || this.#waiting.size === 0) return;
    const waitMs = this.#sentAt + this.#subscription.rateMs - Date.now();
    if (waitMs > 0) return this.#flushIn(waitMs);
    if (!this.#send(this.#subscription, [...this.#waiting.values()])) return this.#flushIn(RETRY_MS);
    this.#waiting.clear();
    this.#sentAt = Date.now();
  }

  /** The first states of a subscription count as sent. */
  noteSent() {
    this.#sentAt = Date.now();
  }

  #flushIn(ms: number) {
    this.#isPlanned = true;
    setTimeout(() => {
      this.#isPlanned = false;
      this.flush();
    }, ms);
  }
}

const RETRY_MS = 1000;
