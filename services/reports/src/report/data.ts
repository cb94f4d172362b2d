import type { ReportPoint } from "#shared/contract/report-source.ts";
import { storedRange } from "#shared/contract/stored-range.ts";
import type { VisibleTracker } from "#shared/contract/visible-tracker.ts";
import { clockOf } from "#shared/time/clock.ts";
import type { ReportsEnv } from "../env.ts";
import type { TrackerData } from "../plugin/plugin.ts";
import type { ReportRow } from "../table/report.ts";
import { isWithin } from "./time-filter.ts";

/** What a report may show of a tracker: its range, as far as it is stored, at the times that the filter lets through. */
export function dataOf(row: ReportRow, { feed, store_period }: VisibleTracker, env: ReportsEnv): TrackerData {
  const { request, reader } = row;
  const { time_zone, locale } = request.locale_info;
  const clock = clockOf(env, time_zone, false);
  const range = storedRange(row, [store_period, reader.store_period], clock);
  const isEmpty = range.from > range.to;
  const within = (ms: number) => ms >= range.from && ms <= range.to && isWithin(ms, request.time_filter, time_zone);
  return {
    from: range.from,
    to: range.to,
    isWithin: within,
    async trips() {
      if (isEmpty) return [];
      const trips = await env.GEO.tripsIn(feed.tracker_id, { from: range.from, to: range.to, locale });
      return trips.filter(({ start_time }) => within(start_time));
    },
    points: () => (isEmpty ? nothing() : pointsOf(env, feed, range, within)),
  };
}

async function* nothing(): AsyncGenerator<ReportPoint[]> {}

async function* pointsOf(
  env: ReportsEnv,
  feed: VisibleTracker["feed"],
  { from, to }: { from: number; to: number },
  within: (ms: number) => boolean,
): AsyncGenerator<ReportPoint[]> {
  let next: { time: number; skip: number } | null = { time: from, skip: 0 };
  while (next) {
    const page: Awaited<ReturnType<typeof env.GEO.pointsIn>> = await env.GEO.pointsIn(feed, next, to);
    yield page.points.filter(({ time }) => within(time));
    next = page.next;
  }
}
