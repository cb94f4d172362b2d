import type {
  NamedPosition,
  PointCursor,
  PointSearch,
  ReportPoint,
  ReportTrip,
} from "#shared/contract/report-source.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { GeoEnv } from "../env.ts";
import { feedOf } from "../feed/of-tracker.ts";
import { readPoints } from "../feed/read-points.ts";
import { addressesAt } from "../geocoder/gazetteer.ts";
import { addressBook, languageOf } from "../geocoder/geocode.ts";
import type { Point } from "../point/point.ts";
import type { Position } from "../point/schema.ts";
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
    id: trip.id,
    start_time: trip.start_time,
    end_time: trip.end_time,
    start: placeAt(trip.start_lat, trip.start_lng),
    end: placeAt(trip.end_lat, trip.end_lng),
    length_meters: trip.length_meters,
    max_speed: trip.max_speed,
    points: trip.points,
    is_short: isShort(trip),
  }));
}

/** As much as one chunk or two have: a page ends where its last chunk does. */
export async function pointsIn(
  env: GeoEnv,
  feed: { account_id: number; tracker_id: number },
  { time, skip }: PointCursor,
  { to, attributes }: PointSearch,
): Promise<{ points: ReportPoint[]; next: PointCursor | null }> {
  const points: ReportPoint[] = [];
  let isMore = false;
  for await (const page of readPoints(env, feed, time, to)) {
    if (points.length >= PAGE + skip) {
      isMore = true;
      break;
    }
    for (const [index, point] of page.points.entries()) {
      const { time, lat, lng, alt, heading, satellites, inputs } = point;
      const measured = { speed: page.speed[index] ?? 0, meters: page.meters[index] ?? 0 };
      const told = toldOf(point, attributes);
      points.push({ time, lat, lng, alt, heading, satellites, ...measured, inputs, attributes: told });
    }
  }
  const last = points.at(-1);
  if (!last || !isMore) return { points: points.slice(skip), next: null };
  // Several may be of one moment.
  const ofLast = points.length - points.findIndex((point) => point.time === last.time);
  return { points: points.slice(skip), next: { time: last.time, skip: ofLast } };
}

/** From the gazetteer alone, as for trips. */
export async function namesAt(env: GeoEnv, positions: Position[], locale: string): Promise<NamedPosition[]> {
  if (positions.length === 0) return [];
  const found = await addressesAt(openDatabase(env), positions, languageOf(locale));
  return found.map((near) => ({
    address: near?.address ?? "",
    province: near?.details.province ?? "",
    country: near?.details.country ?? "",
  }));
}

function toldOf({ attributes }: Point, names: string[]) {
  if (!attributes) return null;
  let told: ReportPoint["attributes"] = null;
  for (const name of names) {
    const value = attributes[name];
    if (value === undefined) continue;
    told ??= {};
    told[name] = value;
  }
  return told;
}

const PAGE = 5000;
