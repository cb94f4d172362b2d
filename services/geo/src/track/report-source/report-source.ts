import type { Principal } from "#shared/caller/principal.ts";
import type {
  NamedPosition,
  Naming,
  PointCursor,
  PointSearch,
  ReportPoint,
  ReportTrip,
} from "#shared/contract/report-source.ts";
import { openDatabase } from "#shared/database/open.ts";
import { readPoints } from "../../chunk/read-points.ts";
import type { GeoEnv } from "../../env.ts";
import { addressesAt } from "../../geocoder/embedded-gazetteer.ts";
import { languageOf, readAddresses } from "../../geocoder/geocode.ts";
import { feedOf } from "../../object/addresses.ts";
import { areaLabelsAt } from "../../place/area/area-names.ts";
import type { Point } from "../../point/point.ts";
import type { Position } from "../../point/schema.ts";
import { endPositionsOf } from "../end-positions.ts";
import { isShort } from "../smart-filter.ts";

export async function tripsIn(
  env: GeoEnv,
  principal: Principal,
  tracker_id: number,
  { from, to, locale, areas }: { from: number; to: number } & Naming,
): Promise<ReportTrip[]> {
  const trips = (await feedOf(env, tracker_id).trips(from, to)).filter(({ kind }) => kind === "regular");
  const ends = trips.flatMap(endPositionsOf);
  const [addressAt, labels] = await Promise.all([
    readAddresses(env, ends, languageOf(locale)),
    areaLabelsAt(env, principal, ends, areas),
  ]);
  const placeAt = (index: number) => {
    const { lat, lng } = ends[index] ?? { lat: 0, lng: 0 };
    return { lat, lng, address: addressAt(lat, lng), areas: labels[index] ?? [] };
  };
  return trips.map((trip, index) => ({
    id: trip.id,
    start_time: trip.start_time,
    end_time: trip.end_time,
    start: placeAt(2 * index),
    end: placeAt(2 * index + 1),
    length_meters: trip.length_meters,
    max_speed_kmh: trip.max_speed_kmh,
    points: trip.points,
    is_short: isShort(trip),
  }));
}

/** A page of points. It ends with a chunk, so it has the points of one or two chunks. */
export async function pointsIn(
  env: GeoEnv,
  feed: { account_id: number; tracker_id: number },
  { time, skip }: PointCursor,
  { to, attributes }: PointSearch,
): Promise<{ points: ReportPoint[]; next: PointCursor | null }> {
  const points: ReportPoint[] = [];
  let isMore = false;
  for await (const page of readPoints(env, feed, time, to)) {
    if (points.length >= MIN_POINTS_PER_PAGE + skip) {
      isMore = true;
      break;
    }
    for (const [index, point] of page.points.entries()) {
      const { time, lat, lng, alt, heading, satellites, inputs } = point;
      const measured = { speed: page.speedsKmh[index] ?? 0, meters: page.meters[index] ?? 0 };
      const pickedAttributes = pickAttributes(point, attributes);
      points.push({ time, lat, lng, alt, heading, satellites, ...measured, inputs, attributes: pickedAttributes });
    }
  }
  const last = points.at(-1);
  if (!last || !isMore) return { points: points.slice(skip), next: null };
  // Several points may have the same time: the cursor counts those that were answered.
  const ofLast = points.length - points.findIndex((point) => point.time === last.time);
  return { points: points.slice(skip), next: { time: last.time, skip: ofLast } };
}

/** Addresses and areas of positions. Addresses come from the gazetteer only, as for trips. */
export async function namesAt(
  env: GeoEnv,
  principal: Principal,
  positions: Position[],
  { locale, areas }: Naming,
): Promise<NamedPosition[]> {
  if (positions.length === 0) return [];
  const [addresses, labels] = await Promise.all([
    addressesAt(openDatabase(env), positions, languageOf(locale)),
    areaLabelsAt(env, principal, positions, areas),
  ]);
  return addresses.map((near, index) => ({
    address: near?.address ?? "",
    province: near?.details.province ?? "",
    country: near?.details.country ?? "",
    areas: labels[index] ?? [],
  }));
}

function pickAttributes({ attributes }: Point, names: string[]) {
  if (!attributes) return null;
  let pickedAttributes: ReportPoint["attributes"] = null;
  for (const name of names) {
    const value = attributes[name];
    if (value === undefined) continue;
    pickedAttributes ??= {};
    pickedAttributes[name] = value;
  }
  return pickedAttributes;
}

const MIN_POINTS_PER_PAGE = 5000;
