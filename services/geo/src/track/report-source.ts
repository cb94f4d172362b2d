import type { PointCursor, ReportPoint, ReportTrip } from "#shared/contract/report-source.ts";
import type { GeoEnv } from "../env.ts";
import { feedOf } from "../feed/of-tracker.ts";
import { readPoints } from "../feed/read-points.ts";
import { addressBook, languageOf } from "../geocoder/geocode.ts";
import { placesOf } from "./ends.ts";
import { isShort } from "./smart-filter.ts";

export async function tripsIn(
  env: GeoEnv,
  tracker_id: number,
  { from, to, locale }: { from: number; to: number; locale: string },
): Promise<ReportTrip[]> {
  const trips = (await feedOf(env, tracker_id).trips(from, to)).filter(({ kind }) => kind === "regular");
  const addressAt = await addressBook(env, trips.flatMap(placesOf), languageOf(locale));
  const placeAt = (lat: number, lng: number) => ({ lat, lng, address: addressAt(lat, lng) });
  return trips.map((trip) => ({
    start_time: trip.start_time,
    end_time: trip.end_time,
    start: placeAt(trip.start_lat, trip.start_lng),
    end: placeAt(trip.end_lat, trip.end_lng),
    length_meters: trip.length_meters,
    max_speed: trip.max_speed,
    is_short: isShort(trip),
  }));
}

/** As much as one chunk or two have: a page ends where its last chunk does. */
export async function pointsIn(
  env: GeoEnv,
  feed: { account_id: number; tracker_id: number },
  { time, skip }: PointCursor,
  to: number,
): Promise<{ points: ReportPoint[]; next: PointCursor | null }> {
  const points: ReportPoint[] = [];
  let isMore = false;
  for await (const page of readPoints(env, feed, time, to)) {
    if (points.length >= PAGE + skip) {
      isMore = true;
      break;
    }
    for (const [index, { time, lat, lng, alt, heading, satellites }] of page.points.entries()) {
      points.push({ time, lat, lng, alt, heading, satellites, speed: page.speed[index] ?? 0 });
    }
  }
  const last = points.at(-1);
  if (!last || !isMore) return { points: points.slice(skip), next: null };
  // Several may be of one moment.
  const ofLast = points.length - points.findIndex((point) => point.time === last.time);
  return { points: points.slice(skip), next: { time: last.time, skip: ofLast } };
}

const PAGE = 5000;
