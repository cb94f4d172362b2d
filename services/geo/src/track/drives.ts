import type { Drive, Drives } from "#shared/contract/drive.ts";
import type { MeterSearch, Quantity } from "#shared/contract/meter.ts";
import type { GeoEnv } from "../env.ts";
import { type AddressBook, addressBook, languageOf } from "../geocoder/geocode.ts";
import { feedOf } from "../object/addresses.ts";
import type { Moments } from "../object/moments.ts";
import type { NumberedTrip } from "../object/trip.ts";
import { placesOf } from "./ends.ts";

/**
 * The tracks that touch the range, whole but for the cuts: each begins anew at the first point at or behind a cut. Of
 * their points only those are read that stand around cuts and, where a counter is asked for, around starts and ends.
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
  const within = cuts.filter((cut) => tracks.some((track) => isWithin(cut, track)));
  const cutTracks = tracks.filter((track) => within.some((cut) => isWithin(cut, track)));
  const of: Quantity[] = ["meters", ...(counted?.of ?? [])];
  // One after the other: what either must read first it keeps for the other.
  const [found, addressAt] = await Promise.all([
    feed.momentValues({
      ...{ needed: cutTracks.flatMap(endsOf), cuts: within, times: counted ? tracks.flatMap(endsOf) : [] },
      ...{ of, since: counted?.since ?? Number.MAX_SAFE_INTEGER },
    }),
    addressBook(env, tracks.flatMap(placesOf), languageOf(locale)),
  ]);
  const metered = counted && (await feed.meterValues(counted));
  return { drives: tracks.flatMap((track) => cutAt(track, found, addressAt)), metered };
}

function cutAt(track: NumberedTrip, { cuts, values }: Moments, addressAt: AddressBook): Drive[] {
  const { start_time, end_time, length_meters } = track;
  // Several cuts may lead to one point.
  const places = new Map(cuts.filter(({ time }) => isWithin(time, track)).map((cut) => [cut.time, cut]));
  const [start, end] = [
    { time: start_time, lat: track.start_lat, lng: track.start_lng },
    { time: end_time, lat: track.end_lat, lng: track.end_lng },
  ];
  const stations = [start, ...places.values(), end].map((station) => ({
    ...station,
    meters: shareAt(station.time, track, values) * length_meters,
    counted: values.get(station.time)?.slice(1) ?? null,
  }));
  return stations.slice(1).map((station, index) => {
    const before = stations[index] ?? station;
    return {
      ...{ start_time: before.time, end_time: station.time, length_meters: station.meters - before.meters },
      start: { lat: before.lat, lng: before.lng, address: addressAt(before.lat, before.lng) },
      end: { lat: station.lat, lng: station.lng, address: addressAt(station.lat, station.lng) },
      ...{ start_values: before.counted, end_values: station.counted },
    };
  });
}

/** How much of the track lies before the moment: by its GPS points, or by the time where it has none that moved. */
function shareAt(time: number, { start_time, end_time }: NumberedTrip, values: Moments["values"]) {
  if (time === start_time) return 0;
  if (time === end_time) return 1;
  const [start, here, end] = [start_time, time, end_time].map((moment) => values.get(moment)?.[0] ?? 0);
  const [driven, whole] = [(here ?? 0) - (start ?? 0), (end ?? 0) - (start ?? 0)];
  return whole > 0 ? driven / whole : (time - start_time) / (end_time - start_time);
}

function endsOf({ start_time, end_time }: NumberedTrip) {
  return [start_time, end_time];
}

function isWithin(time: number, { start_time, end_time }: NumberedTrip) {
  return start_time < time && time < end_time;
}
