import type { Metered, MeterSearch } from "#shared/contract/meter.ts";
import type { FleetEnv } from "../../env.ts";
import { type Counted, type CounterValue, valueNow, wantedFor } from "./value.ts";

/** A tracker, by the one whose points it shows, with its counters. */
type FeedCounters = { feed_id: number; counters: Counted[] };

/** What the counters of each of the trackers show, those without a value left out. */
export function valuesNow(env: FleetEnv, feeds: FeedCounters[]): Promise<CounterValue[][]> {
  return valuesBy((wanted) => env.GEO.metered(wanted), feeds);
}

/** The same for sweeps, without those that cannot be told. */
export function valuesNowOfAble(env: FleetEnv, feeds: FeedCounters[]): Promise<CounterValue[][]> {
  return valuesBy((wanted) => env.GEO.meteredOfAble(wanted), feeds);
}

type Ask = (wanted: [number, MeterSearch][]) => Promise<Record<number, Metered | undefined>>;

async function valuesBy(ask: Ask, feeds: FeedCounters[]): Promise<CounterValue[][]> {
  const wanted = new Map(feeds.map(({ feed_id, counters }) => [feed_id, wantedFor(counters)]));
  const counting = feeds.filter(({ counters }) => counters.length > 0).map(({ feed_id }) => feed_id);
  const metered = await ask([...wanted].filter(([feed_id]) => counting.includes(feed_id)));
  return feeds.map(({ feed_id, counters }) => {
    const [of, known] = [wanted.get(feed_id), metered[feed_id]];
    return of && known ? counters.flatMap((counter) => valueNow(counter, of, known) ?? []) : [];
  });
}
