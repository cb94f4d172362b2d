import { systemNow } from "#shared/time/clock.ts";
import type { GeoEnv } from "../../env.ts";
import type { TrackerPosition } from "../../object/account-rules.ts";

type CachedPosition = { askedAt: number; position: TrackerPosition | null };

/** Last positions of an account's trackers, cached for seconds: many rules may watch the same tracker. */
export class TrackerPositions {
  #env: GeoEnv;
  #account_id: number;
  #cached = new Map<number, CachedPosition>();
  readonly #now: () => number;

  constructor(env: GeoEnv, account_id: number, now: () => number = systemNow) {
    this.#now = now;
    this.#env = env;
    this.#account_id = account_id;
  }

  async positionsOf(tracker_ids: number[]): Promise<TrackerPosition[]> {
    const oldest = this.#now() - MAX_AGE_MS;
    const missing = tracker_ids.filter((id) => (this.#cached.get(id)?.askedAt ?? 0) < oldest);
    for (let start = 0; start < missing.length; start += MAX_PARALLEL_CALLS) {
      await Promise.all(missing.slice(start, start + MAX_PARALLEL_CALLS).map((id) => this.#refresh(id)));
    }
    return tracker_ids.flatMap((id) => this.#cached.get(id)?.position ?? []);
  }

  /** Reads a feed's last position; if the call fails, the cached one stays. */
  async #refresh(tracker_id: number) {
    const askedAt = this.#now();
    const position = await this.#env.FEEDS.getByName(String(tracker_id))
      .lastPositionFor(this.#account_id)
      .catch(() => undefined);
    if (position === undefined) return;
    this.#cached.set(tracker_id, { askedAt, position: position && { tracker_id, ...position } });
  }
}

const MAX_AGE_MS = 2000;
const MAX_PARALLEL_CALLS = 100;
