import * as z from "zod";
import { visibleSince } from "#shared/contract/tracker/stored-range.ts";
import { requireTrackers, type VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { prefetchPoints } from "../../chunk/prefetch.ts";
import { type PrefetchedPoints, readPoints } from "../../chunk/read-points.ts";
import type { GeoEnv } from "../../env.ts";
import { feedOf } from "../../object/addresses.ts";
import { DEFAULT_TRIP_SETTINGS } from "../../object/trip.ts";
import { operation } from "../../operation.ts";

const MAX_TRACKERS = 500;
const FEEDS_PER_WAVE = 100;

const PastPosition = z.object({
  tracker_id: z.int(),
  lat: z.number(),
  lng: z.number(),
  get_time: dateTime(),
  heading: z.int(),
  speed: z.int(),
  gsm_lbs: z.boolean(),
  movement_status: z.enum(["moving", "stopped", "parked"]),
});

export const listTrackPositions = operation("/track/position/list", {
  summary: "Where trackers were at a moment",
  reads: true,
  expensive: true,
  input: z.object({ trackers: z.array(z.int()).min(1).max(MAX_TRACKERS), time: dateTime() }),
  output: z.object({ limit_exceeded: z.boolean(), list: z.array(PastPosition) }),
  errors: [217],
  async run({ trackers, time }, { env, principal, clock }) {
    const ids = [...new Set(trackers)];
    const found = requireTrackers(await env.FLEET.trackersOf(principal, ids), ids);
    const now = clock.now();
    const sinceOf = ({ store_period }: VisibleTracker) => visibleSince([store_period, principal.store_period], now);
    const visible = found.filter((tracker) => sinceOf(tracker) <= time);
    // Callers give whole seconds: the second counts to its end.
    const moment = time + 999;
    const [points, isInTrip] = await Promise.all([
      readLastPoints(visible, moment, env),
      readInTrip(visible, moment, env),
    ]);
    const list = visible.flatMap((tracker, index) => {
      const last = points[index];
      // An older point would reveal where the tracker was before the storage period.
      if (!last || last.point.time < sinceOf(tracker)) return [];
      const { point, speed } = last;
      const isSlow = speed < DEFAULT_TRIP_SETTINGS.idle_speed_threshold;
      const movement_status: Status = !isInTrip[index] ? "parked" : isSlow ? "stopped" : "moving";
      return [
        {
          ...{ tracker_id: tracker.tracker_id, lat: point.lat, lng: point.lng, get_time: point.time },
          ...{ heading: point.heading ?? 0, speed: Math.round(speed), gsm_lbs: point.gsm_lbs, movement_status },
        },
      ];
    });
    return { limit_exceeded: visible.length < found.length, list };
  },
});

export const operations = [listTrackPositions];

type Status = z.output<typeof PastPosition>["movement_status"];

/** The last point of each tracker up to a moment, in the order of the trackers. */
async function readLastPoints(trackers: VisibleTracker[], moment: number, env: GeoEnv) {
  const ranges = trackers.map(({ feed }) => ({ feed, from: moment, to: moment }));
  const last: Awaited<ReturnType<typeof readLastPoint>>[] = [];
  for await (const prefetched of prefetchPoints(env, ranges)) {
    const tracker = trackers[last.length];
    last.push(tracker && (await readLastPoint(tracker, moment, prefetched, env)));
  }
  return last;
}

/** Reads from the last chunk before the moment on; undefined: no points. */
async function readLastPoint({ feed }: VisibleTracker, moment: number, prefetched: PrefetchedPoints, env: GeoEnv) {
  let last: { point: LastPoint; speed: number } | undefined;
  const anchor = prefetched.opened?.anchor;
  if (anchor) last = { point: { ...anchor, heading: null, gsm_lbs: false }, speed: anchor.speed };
  for await (const { points, speedsKmh } of readPoints(env, feed, Number.NEGATIVE_INFINITY, moment, prefetched)) {
    const point = points.at(-1);
    if (point) last = { point, speed: speedsKmh.at(-1) ?? 0 };
  }
  return last;
}

type LastPoint = { time: number; lat: number; lng: number; heading: number | null; gsm_lbs: boolean };

/** Whether each tracker was in a trip. */
async function readInTrip(trackers: VisibleTracker[], moment: number, env: GeoEnv): Promise<boolean[]> {
  const found: boolean[] = [];
  for (let start = 0; start < trackers.length; start += FEEDS_PER_WAVE) {
    const wave = trackers.slice(start, start + FEEDS_PER_WAVE);
    const trips = await Promise.all(wave.map(({ feed }) => feedOf(env, feed.tracker_id).trips(moment, moment)));
    found.push(...trips.map(({ length }) => length > 0));
  }
  return found;
}
