import type { NumberedTrip } from "../../../services/geo/src/object/trip.ts";
import type { Point } from "../../../services/geo/src/point/point.ts";
import type { TrackPoint } from "../../../services/geo/src/track/track-point.ts";
import { pointAt } from "./made.ts";

export const START = pointAt(0).time;

/** A trip with these times, in seconds after `START`, and with plain values for all other members. */
export function tripAt(from: number, to: number, given: Partial<NumberedTrip> = {}): NumberedTrip {
  return {
    id: from + 1,
    kind: "regular",
    start_time: START + from * 1000,
    start_lat: 50,
    start_lng: 8,
    end_time: START + to * 1000,
    end_lat: 50,
    end_lng: 8.1,
    length_meters: 7200,
    max_speed_kmh: 50,
    points: 100,
    lbs_points: 0,
    bounds: { south: 50, west: 8, north: 50.1, east: 8.1 },
    precision: null,
    ...given,
  };
}

/** A lone report at a place. */
export function reportAt(seconds: number, lat: number, lng: number, given: Partial<NumberedTrip> = {}): NumberedTrip {
  return tripAt(seconds, seconds, {
    kind: "single_report",
    ...{ start_lat: lat, start_lng: lng, end_lat: lat, end_lng: lng, length_meters: 0, points: 1, precision: 20 },
    bounds: { south: lat, west: lng, north: lat, east: lng },
    ...given,
  });
}

/** Points as they are read from the database: in chunks of `size`, one after the other. */
export async function* chunksOf(points: Point[], size = 3) {
  for (let start = 0; start < points.length; start += size) {
    const chunk = points.slice(start, start + size);
    const speedsKmh = Float64Array.from(chunk, (point) => point.speed ?? 0);
    yield { points: chunk, speedsKmh, meters: Float64Array.from(chunk, (_, index) => 100 * (start + index)) };
  }
}

export async function collect<Item>(pages: AsyncIterable<Item[]>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

export function secondsOf(points: TrackPoint[]): number[] {
  return points.map(({ point }) => (point.time - START) / 1000);
}
