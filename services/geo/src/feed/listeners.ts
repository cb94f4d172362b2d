import type { LifecycleEvent } from "#shared/contract/live.ts";
import { systemNow } from "#shared/time/clock.ts";
import type { GeoEnv } from "../env.ts";
import type { TrackerCondition } from "../object/feed.ts";

/**
 * Relays that receive the tracker's state. Without relays nothing is sent; otherwise the newest state, once a second at
 * most, without delaying the caller. A state lost with the process is replaced by the next change.
 */
export class Listeners {
  #ctx: DurableObjectState;
  #env: GeoEnv;
  /** By name of a relay: when its subscription ends, in milliseconds. */
  #until: Record<string, number>;
  #deliveredAt = 0;
  #isPlanned = false;
  readonly #now: () => number;

  constructor(ctx: DurableObjectState, env: GeoEnv, now: () => number = systemNow) {
    this.#now = now;
    this.#ctx = ctx;
    this.#env = env;
    this.#until = ctx.storage.kv.get<Record<string, number>>(KEY) ?? {};
  }

  add(relay: string, until: number) {
    this.#until = { ...this.#until, [relay]: until };
    this.#store();
  }

  /** Sends the state once the interval since the last delivery is over; `conditionNow` is called only then. */
  reportChange(tracker_id: number, conditionNow: () => TrackerCondition) {
    if (this.#isPlanned || Object.keys(this.#until).length === 0) return;
    this.#isPlanned = true;
    const waitMs = Math.max(0, this.#deliveredAt + MIN_INTERVAL_MS - this.#now());
    setTimeout(() => {
      this.#isPlanned = false;
      this.#deliveredAt = this.#now();
      const condition = conditionNow();
      this.#deliver((relay) => this.#env.RELAYS.getByName(relay).receiveState(tracker_id, condition));
    }, waitMs);
  }

  reportLifecycle(tracker_id: number, event: LifecycleEvent, condition: TrackerCondition) {
    this.#deliver((relay) => this.#env.RELAYS.getByName(relay).receiveLifecycle(tracker_id, event, condition));
  }

  #deliver(send: (relay: string) => Promise<boolean>) {
    for (const [relay, until] of Object.entries(this.#until)) {
      if (until < this.#now()) this.#remove(relay);
      else this.#ctx.waitUntil(send(relay).then((listens) => listens || this.#remove(relay), ignoreFailure));
    }
  }

  #remove(relay: string) {
    const { [relay]: _, ...others } = this.#until;
    this.#until = others;
    this.#store();
  }

  #store() {
    const { kv } = this.#ctx.storage;
    if (Object.keys(this.#until).length > 0) kv.put(KEY, this.#until);
    else kv.delete(KEY);
  }
}

/** A relay that failed receives the next change. */
function ignoreFailure() {}

const KEY = "listeners";
const MIN_INTERVAL_MS = 1000;
