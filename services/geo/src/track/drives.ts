import type { Drive, Drives } from "#shared/contract/point/drive.ts";
import type { MeterSearch, Quantity } from "#shared/contract/point/meter.ts";
import type { GeoEnv } from "../env.ts";
import { type AddressLookup, languageOf, readAddresses } from "../geocoder/geocode.ts";
import { feedOf } from "../object/addresses.ts";
import type { Moments } from "../object/moments.ts";
import type { NumberedTrip } from "../object/trip.ts";
import { endPositionsOf } from "./end-positions.ts";

/**
 * Tracks that touch the range, split at the cuts: a part starts at the first point at or after a cut. Points are read
 * only around cuts and, for a counter, around starts and ends.
 */
export async function drivesOf(
  env: GeoEnv,
  tracker_id: number,
  { from, to, locale }: { from: number; to: number; locale: string },
  cuts: number[],
  counted: MeterSearch | null,
): Promise<Drives> {
  const feed = feedOf(env, tracker_id);
  const trips = await feed.trips(from, to);
  const tracks = trips.filter(({ kind }) => kind === "regular");
  if (tracks.length === 0) return { drives: [], metered: null };
  const within = cuts.filter((cut) => tracks.some((track) => isInside(cut, track)));
  const cutTracks = tracks.filter((track) => within.some((cut) => isInside(cut, track)));
  const of: Quantity[] = ["meters", ...(counted?.of ?? [])];
  // One after the other: the feed reuses in the second call the points read for the first.
  const [moments, addressAt] = await Promise.all([
    feed.momentValues({
      ...{ needed: cutTracks.flatMap(endTimesOf), cuts: within, times: counted ? tracks.flatMap(endTimesOf) : [] },
      ...{ of, since: counted?.since ?? Number.MAX_SAFE_INTEGER },
    }),
    readAddresses(env, tracks.flatMap(endPositionsOf), languageOf(locale)),
  ]);
  const metered = counted && (await feed.meterValues(counted));
  return { drives: tracks.flatMap((track) => cutTrack(track, moments, addressAt)), metered };
}

function cutTrack(track: NumberedTrip, { cuts, values }: Moments, addressAt: AddressLookup): Drive[] {
  const { start_time, end_time, length_meters } = track;
  // Several cuts may fall on the same point.
  const cutsByTime = new Map(cuts.filter(({ time }) => isInside(time, track)).map((cut) => [cut.time, cut]));
  const [start, end] = [
    { time: start_time, lat: track.start_lat, lng: track.start_lng },
    { time: end_time, lat: track.end_lat, lng: track.end_lng },
  ];
  const splitPoints = [start, ...cutsByTime.values(), end].map((splitPoint) => ({
    ...splitPoint,
    meters: shareBefore(splitPoint.time, track, values) * length_meters,
    counted: values.get(splitPoint.time)?.slice(1) ?? null,
  }));
  return splitPoints.slice(1).map((splitPoint, index) => {
    const before = splitPoints[index] ?? splitPoint;
    return {
      ...{ start_time: before.time, end_time: splitPoint.time, length_meters: splitPoint.meters - before.meters },
      start: { lat: before.lat, lng: before.lng, address: addressAt(before.lat, before.lng) },
      end: { lat: splitPoint.lat, lng: splitPoint.lng, address: addressAt(splitPoint.lat, splitPoint.lng) },
      ...{ start_values: before.counted, end_values: splitPoint.counted },
    };
  });
}

/** The share of the track's length before `time`: by GPS points, or by time if none of them moved. */
function shareBefore(time: number, { start_time, end_time }: NumberedTrip, values: Moments["values"]) {
  if (time === start_time) return 0;
  if (time === end_time) return 1;
  const [start, here, end] = [start_time, time, end_time].map((moment) => values.get(moment)?.[0] ?? 0);
  const [driven, whole] = [(here ?? 0) - (start ?? 0), (end ?? 0) - (start ?? 0)];
  return whole > 0 ? driven / whole : (time - start_time) / (end_time - start_time);
}

function endTimesOf({ start_time, end_time }: NumberedTrip) {
  return [start_time, end_time];
}

function isInside(time: number, { start_time, end_time }: NumberedTrip) {
  return start_time < time && time < end_time;
}
