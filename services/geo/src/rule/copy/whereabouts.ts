import { systemNow } from "#shared/time/clock.ts";
import type { GeoEnv } from "../../env.ts";
import type { TrackerPosition } from "../../object/account-rules.ts";

type Sighting = { asked: number; place: TrackerPosition | null };

/** Where trackers of an account are: however many others watch one, its feed is asked once in a few seconds. */
export class Whereabouts {
  #env: GeoEnv;
  #account_id: number;
  #known = new Map<number, Sighting>();
  readonly #now: () => number;

  constructor(env: GeoEnv, account_id: number, now: () => number = systemNow) {
    this.#now = now;
    this.#env = env;
    this.#account_id = account_id;
  }

  async of(tracker_ids: number[]): Promise<TrackerPosition[]> {
    const oldest = this.#now() - FRESH_MS;
    const missing = tracker_ids.filter((id) => (this.#known.get(id)?.asked ?? 0) < oldest);
    for (let start = 0; start < missing.length; start += WAVE) {
      await Promise.all(missing.slice(start, start + WAVE).map((id) => this.#ask(id)));
    }
    return tracker_ids.flatMap((id) => this.#known.get(id)?.place ?? []);
  }

  /** A feed that does not answer leaves what was known of it. */
  async #ask(tracker_id: number) {
    const asked = this.#now();
    const place = await this.#env.FEEDS.getByName(String(tracker_id))
      .lastPositionFor(this.#account_id)
      .catch(() => undefined);
    if (place === undefined) return;
    this.#known.set(tracker_id, { asked, place: place && { tracker_id, ...place } });
  }
}

const FRESH_MS = 2000;
const WAVE = 100;
