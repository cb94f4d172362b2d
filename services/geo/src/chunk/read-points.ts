import type { TimeRange } from "#shared/contract/tracker/stored-range.ts";
import type { GeoEnv } from "../env.ts";
import { feedOf } from "../object/addresses.ts";
import type { OpenPoints } from "../object/open-points.ts";
import { decodePoints } from "../point/codec.ts";
import { measurePoints, type PreviousPoint } from "../point/measured.ts";
import {
  earliestAt,
  type Identity,
  lowerBound,
  mergePoints,
  type Point,
  pointsAfter,
  pointsWithin,
} from "../point/point.ts";
import { databaseOf } from "./database/open.ts";
import type { FeedReference } from "./queries.ts";
import { type ChunkPage, readChunkPage } from "./read.ts";

/** Sorted points with effective speeds in km/h, and meters since the tracker's first point. */
export type MeasuredPoints = { points: Point[]; speedsKmh: Float64Array; meters: Float64Array };

/** The open points and the first page of chunks (some 5 MB) of a range, kept for reading the range again. */
export type PrefetchedPoints = { opened?: OpenPoints; page?: ChunkPage };

/** A time range of a tracker's points. */
export type FeedRange = TimeRange & { feed: FeedReference };

/** All points of [from, to] in time order, a chunk at a time, so that no range is too large for the memory. */
export async function* readPoints(
  env: GeoEnv,
  feed: FeedReference,
  from: number,
  to: number,
  prefetched: PrefetchedPoints = {},
): AsyncGenerator<MeasuredPoints> {
  prefetched.opened ??= await feedOf(env, feed.tracker_id).openPoints(from, to);
  const { anchor } = prefetched.opened;
  let previous: PreviousPoint | null = anchor;
  let meters = anchor?.meters ?? 0;
  for await (const points of pointsSinceAnchor(env, feed, from, to, prefetched)) {
    const steps = measurePoints(points, previous);
    for (const [index, step] of steps.meters.entries()) {
      meters += step;
      steps.meters[index] = meters;
    }
    const last = points.at(-1);
    if (last) previous = { time: last.time, lat: last.lat, lng: last.lng, speed: steps.speedsKmh.at(-1) ?? 0 };
    const start = lowerBound(points, earliestAt(from));
    const within = pointsWithin(points, from, to);
    if (within.length === 0) continue;
    yield { points: within, speedsKmh: steps.speedsKmh.subarray(start), meters: steps.meters.subarray(start) };
  }
}

/** All points of the range without speeds and meters. */
export async function* readPlainPoints(
  env: GeoEnv,
  { feed, from, to }: FeedRange,
  prefetched: PrefetchedPoints,
): AsyncGenerator<Point[]> {
  for await (const points of pointsSinceAnchor(env, feed, from, to, prefetched)) {
    const within = pointsWithin(points, from, to);
    if (within.length > 0) yield within;
  }
}

/** Points from the anchor on: some are before the range, so that speeds and meters can be computed. */
async function* pointsSinceAnchor(
  env: GeoEnv,
  feed: FeedReference,
  from: number,
  to: number,
  prefetched: PrefetchedPoints,
): AsyncGenerator<Point[]> {
  // Open points first: points that a flush moves meanwhile are then read twice, but never missed.
  prefetched.opened ??= await feedOf(env, feed.tracker_id).openPoints(from, to);
  const { opened } = prefetched;
  let previous: Identity | null = opened.anchor;
  let open = decodePoints(opened.points);
  if (previous) open = pointsAfter(open, previous);
  const db = databaseOf(env, feed.tracker_id);
  // Starts at the anchor instead of `from`: a flush may have cut the chunks differently since.
  let since = opened.anchor ? opened.anchor.time : from;
  prefetched.page ??= await readChunkPage(db, env.ARCHIVE, feed, { from: since, to });
  for (let { page } = prefetched; ; page = await readChunkPage(db, env.ARCHIVE, feed, { from: since, to })) {
    for (const { data } of page) {
      const read = pointsWithin(decodePoints(data), Number.NEGATIVE_INFINITY, to);
      const stored = previous ? pointsAfter(read, previous) : read;
      const last = stored.at(-1);
      if (!last) continue;
      const later = pointsAfter(open, last);
      const merged = mergePoints(stored, open.slice(0, open.length - later.length));
      previous = merged.at(-1) ?? previous;
      open = later;
      yield merged;
    }
    const end = page.at(-1);
    if (!end || end.isLast) break;
    since = end.to + 1;
  }
  if (open.length > 0) yield open;
}
