import type { NumberedTrip } from "../object/trip.ts";
import { boundsAround, extendBounds, wrapBounds } from "../point/bounds.ts";
import { measureStep, type PreviousPoint } from "../point/measured.ts";
import type { Point } from "../point/point.ts";
import { isLbs } from "./smart-filter.ts";
import type { TrackPoints } from "./track-point.ts";

/** True if the trip has both points of satellites and of cell towers, so that its summary must be recomputed. */
export function isMixed(trip: NumberedTrip): boolean {
  return trip.lbs_points > 0 && !isLbs(trip);
}

/** Trips by satellite points only. `pages` are the satellite points of the mixed trips. */
export async function dropLbsPoints(trips: NumberedTrip[], pages: TrackPoints): Promise<NumberedTrip[]> {
  const counts = new Map<number, TripMeasures>();
  for await (const page of pages) {
    for (const { point, trip_id } of page) {
      if (trip_id === null) continue;
      const count = counts.get(trip_id);
      if (count) addPoint(count, point);
      else counts.set(trip_id, startMeasures(point));
    }
  }
  return trips.flatMap((trip) => {
    if (!isMixed(trip)) return isLbs(trip) ? [] : [trip];
    const count = counts.get(trip.id);
    return count ? [applyMeasures(trip, count)] : [];
  });
}

type TripMeasures = {
  first: Point;
  last: PreviousPoint;
  points: number;
  meters: number;
  fastestKmh: number;
  bounds: Box;
};
type Box = ReturnType<typeof boundsAround>;

function startMeasures(point: Point): TripMeasures {
  const { speedKmh } = measureStep(null, point);
  const last = { time: point.time, lat: point.lat, lng: point.lng, speed: speedKmh };
  return { first: point, last, points: 1, meters: 0, fastestKmh: speedKmh, bounds: boundsAround(point.lat, point.lng) };
}

function addPoint(count: TripMeasures, point: Point) {
  const { meters, speedKmh } = measureStep(count.last, point);
  count.last = { time: point.time, lat: point.lat, lng: point.lng, speed: speedKmh };
  count.points += 1;
  count.meters += meters;
  count.fastestKmh = Math.max(count.fastestKmh, speedKmh);
  extendBounds(count.bounds, point.lat, point.lng);
}

function applyMeasures(
  trip: NumberedTrip,
  { first, last, points, meters, fastestKmh, bounds }: TripMeasures,
): NumberedTrip {
  return {
    ...trip,
    start_time: first.time,
    start_lat: first.lat,
    start_lng: first.lng,
    end_time: last.time,
    end_lat: last.lat,
    end_lng: last.lng,
    length_meters: meters,
    max_speed_kmh: fastestKmh,
    points,
    lbs_points: 0,
    bounds: wrapBounds(bounds),
  };
}
