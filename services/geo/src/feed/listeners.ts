import type { LifecycleEvent } from "#shared/contract/live.ts";
import { systemNow } from "#shared/time/clock.ts";
import type { GeoEnv } from "../env.ts";
import type { TrackerCondition } from "../object/feed.ts";

/**
 * Who is told that the tracker's state has changed. Without listeners nobody is called; with them the newest state is
 * told, once a second at the most, and nothing waits for it. What is lost here with the object, the next change tells.
 */
export class Listeners {
  #ctx: DurableObjectState;
  #env: GeoEnv;
  /** The names of relays, and until when they listen. */
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

  /** The state is asked for when it is told. */
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

  #deliver(say: (relay: string) => Promise<boolean>) {
    for (const [relay, until] of Object.entries(this.#until)) {
      if (until < this.#now()) this.#remove(relay);
      else this.#ctx.waitUntil(say(relay).then((listens) => listens || this.#remove(relay), ignoreFailure));
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

/** A relay that fails is told the next change. */
function ignoreFailure() {}

const KEY = "listeners";
const MIN_INTERVAL_MS = 1000;
