import type { MeasuredPoints } from "../chunk/read-points.ts";
import type { NumberedTrip } from "../object/trip.ts";
import type { Point } from "../point/point.ts";
import { simplify } from "../point/simplify.ts";

/** A stored point with values that follow from its neighbours. */
export type TrackPoint = {
  point: Point;
  /** Effective speed in km/h. */
  speed: number;
  /** Mileage since the tracker's first point. */
  meters: number;
  /** Null: the tracker was parked. */
  trip_id: number | null;
};

export type TrackPoints = AsyncIterable<TrackPoint[]>;

/** Points that pass `keeps`, with their trips. `trips` are all that touch the range, in time order. */
export async function* trackPoints(
  chunks: AsyncIterable<MeasuredPoints>,
  trips: NumberedTrip[],
  keeps: (point: TrackPoint) => boolean,
): AsyncGenerator<TrackPoint[]> {
  let next = 0;
  for await (const { points, speedsKmh, meters } of chunks) {
    const page: TrackPoint[] = [];
    for (const [index, point] of points.entries()) {
      let trip = trips[next];
      while (trip && trip.end_time < point.time) trip = trips[++next];
      const trip_id = trip && trip.start_time <= point.time ? trip.id : null;
      const candidate = { point, speed: speedsKmh[index] ?? 0, meters: meters[index] ?? 0, trip_id };
      if (keeps(candidate)) page.push(candidate);
    }
    if (page.length > 0) yield page;
  }
}

/** The most significant points, about `limit`. Ends of trips are kept unless they fill half the limit. */
export async function simplifyPages(pages: TrackPoints, limit: number): Promise<TrackPoint[]> {
  let held: TrackPoint[] = [];
  for await (const page of pages) held = appendThinned(held, page);
  return thinOut(held, limit);
}

/** Appends points, and thins out all when they become too many: memory is bounded for tracks of any length. */
export function appendThinned(held: TrackPoint[], more: TrackPoint[]): TrackPoint[] {
  const all = held.concat(more);
  return all.length > MAX_HELD_POINTS ? thinOut(all, MAX_HELD_POINTS / 2) : all;
}

export function thinOut(points: TrackPoint[], limit: number): TrackPoint[] {
  if (points.length <= limit) return points;
  const ends = points.flatMap((_, index) => (isTripEnd(points, index) ? [index] : []));
  const positions = points.map(({ point }) => point);
  const indices = simplify(positions, limit, ends.length <= limit / 2 ? ends : []);
  return indices.flatMap((index) => points[index] ?? []);
}

/** Splits points by trip. The points of a trip must be read before the next trip is requested. */
export async function* splitByTrip(pages: TrackPoints): AsyncGenerator<{ points: AsyncIterable<TrackPoint> }> {
  const all = flattenPages(pages);
  let current = await all.next();
  while (!current.done) {
    const { trip_id } = current.value;
    yield {
      points: (async function* () {
        for (; !current.done && current.value.trip_id === trip_id; current = await all.next()) yield current.value;
      })(),
    };
  }
}

export async function* flattenPages(pages: TrackPoints): AsyncGenerator<TrackPoint> {
  for await (const page of pages) yield* page;
}

function isTripEnd(points: TrackPoint[], index: number) {
  const trip = points[index]?.trip_id;
  return trip !== points[index - 1]?.trip_id || trip !== points[index + 1]?.trip_id;
}

/** About 15 MB; a month with a point every 30 seconds is not thinned out. */
const MAX_HELD_POINTS = 80_000;
