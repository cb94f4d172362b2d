import type { Metered, WantedMeters } from "#shared/metered.ts";
import type { FleetEnv } from "../env.ts";
import { type Counted, type CounterValue, valueNow, wantedFor } from "./value.ts";

type CountersOfFeed = { feed_id: number; counters: Counted[] };

/** What the counters of each of the trackers show, those without a value left out. */
export function valuesNow(env: FleetEnv, asked: CountersOfFeed[]): Promise<CounterValue[][]> {
  return valuesBy((wanted) => env.GEO.metered(wanted), asked);
}

/** The same for sweeps, without those that cannot be told. */
export function valuesNowOfAble(env: FleetEnv, asked: CountersOfFeed[]): Promise<CounterValue[][]> {
  return valuesBy((wanted) => env.GEO.meteredOfAble(wanted), asked);
}

type Ask = (wanted: [number, WantedMeters][]) => Promise<Record<number, Metered | undefined>>;

async function valuesBy(ask: Ask, asked: CountersOfFeed[]): Promise<CounterValue[][]> {
  const wanted = new Map(asked.map(({ feed_id, counters }) => [feed_id, wantedFor(counters)]));
  const counting = asked.filter(({ counters }) => counters.length > 0).map(({ feed_id }) => feed_id);
  const metered = await ask([...wanted].filter(([feed_id]) => counting.includes(feed_id)));
  return asked.map(({ feed_id, counters }) => {
    const [of, known] = [wanted.get(feed_id), metered[feed_id]];
    return of && known ? counters.flatMap((counter) => valueNow(counter, of, known) ?? []) : [];
  });
}
