import type { MeterSearch, MeterValues } from "#shared/contract/point/meter.ts";
import type { FleetEnv } from "../../env.ts";
import { type CounterValue, meterSearchFor, type SegmentedCounter, valueNow } from "./value.ts";

/** The counters of a tracker, and the tracker whose points count for them. */
type FeedCounters = { feed_id: number; counters: SegmentedCounter[] };

/** The current values of the trackers' counters; counters without a value are left out. */
export function readValuesNow(env: FleetEnv, feeds: FeedCounters[]): Promise<CounterValue[][]> {
  return readValues((searches) => env.GEO.meterValues(searches), feeds);
}

/** The current values of counters for sweeps: trackers whose feed fails have no values. */
export function readAvailableValues(env: FleetEnv, feeds: FeedCounters[]): Promise<CounterValue[][]> {
  return readValues((searches) => env.GEO.meterValuesOfReachable(searches), feeds);
}

type MeterReader = (searches: [number, MeterSearch][]) => Promise<Record<number, MeterValues | undefined>>;

async function readValues(readMeters: MeterReader, feeds: FeedCounters[]): Promise<CounterValue[][]> {
  const searches = new Map(feeds.map(({ feed_id, counters }) => [feed_id, meterSearchFor(counters)]));
  const counting = feeds.filter(({ counters }) => counters.length > 0).map(({ feed_id }) => feed_id);
  const metered = await readMeters([...searches].filter(([feed_id]) => counting.includes(feed_id)));
  return feeds.map(({ feed_id, counters }) => {
    const [search, meters] = [searches.get(feed_id), metered[feed_id]];
    return search && meters ? counters.flatMap((counter) => valueNow(counter, search, meters) ?? []) : [];
  });
}
