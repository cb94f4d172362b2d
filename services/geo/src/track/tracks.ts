import { Temporal } from "temporal-polyfill";
import type { TimeRange } from "#shared/contract/tracker/stored-range.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import type { AddressLookup } from "../geocoder/geocode.ts";
import type { NumberedTrip } from "../object/trip.ts";
import { type Bounds, boundsAround, extendBounds, joinBounds, wrapBounds } from "../point/bounds.ts";
import { intersect } from "./intersect.ts";
import type { Cluster, Drive, MergedTrack, RegularTrack, SingleReport, Total, Track } from "./schema.ts";
import { isLbs } from "./smart-filter.ts";

/** Everything that tracks are written with besides the trips. */
export type TrackContext = {
  /** Writes UTC milliseconds in the caller's format. */
  write(ms: number): string;
  /** Liters per 100 km; null: the tracker has no vehicle, or its consumption is unknown. */
  norm: number | null;
  /** The number of events in a trip; null: not requested. */
  eventsIn: ((trip_id: number) => number) | null;
  /** Addresses of positions where trips start or end. */
  addressAt: AddressLookup;
};

/** The track of one trip, or a cluster of several single reports. */
export function toTrack(trips: NumberedTrip[], writing: TrackContext): Track {
  const [first] = trips;
  if (!first) throw new Error("a track has a trip at least");
  if (trips.length > 1) return toCluster(trips, first, writing);
  return first.kind === "regular" ? toRegular(first, writing) : toSingleReport(first, writing);
}

/** All trips merged into one track; an empty list without trips. */
export function mergeTrips(trips: NumberedTrip[], writing: TrackContext): MergedTrack[] {
  const [first, last] = [trips[0], trips.at(-1)];
  if (!first || !last) return [];
  const bounds = unwrapBounds(first.bounds);
  for (const trip of trips) joinBounds(bounds, unwrapBounds(trip.bounds));
  const sum = {
    ...first,
    ...{ end_time: last.end_time, end_lat: last.end_lat, end_lng: last.end_lng },
    length_meters: sumOf(trips, ({ length_meters }) => length_meters),
    max_speed_kmh: trips.reduce((highest, { max_speed_kmh }) => Math.max(highest, max_speed_kmh), 0),
    points: sumOf(trips, ({ points }) => points),
    lbs_points: sumOf(trips, ({ lbs_points }) => lbs_points),
    bounds: wrapBounds(bounds),
  };
  const drivenMs = sumOf(trips, ({ start_time, end_time }) => end_time - start_time);
  const ids = trips.map(({ id }) => id);
  return [{ type: "merged", ...toDrive(sum, { drivenMs, ids }, writing) }];
}

/** The totals. `count` is the number of tracks shown; parking is the past part of the range without trips. */
export function toTotal(
  trips: NumberedTrip[],
  count: number,
  { from, to }: TimeRange,
  { norm }: Pick<TrackContext, "norm">,
  nowMs: number,
): Total {
  const past = { from, to: Math.max(from, Math.min(to, nowMs)) };
  const drivenMs = sumOf(trips, ({ start_time, end_time }) => {
    const within = intersect(past, { from: start_time, to: end_time });
    return Math.max(0, within.to - within.from);
  });
  const length = kilometers(sumOf(trips, ({ length_meters }) => length_meters));
  return {
    count,
    length,
    trip_duration: toIsoDuration(sumOf(trips, ({ start_time, end_time }) => end_time - start_time)),
    parking_duration: toIsoDuration(past.to - past.from - drivenMs),
    ...fuelMembers(length, norm),
  };
}

function toRegular(trip: NumberedTrip, writing: TrackContext): RegularTrack {
  return {
    type: "regular",
    id: trip.id,
    ...toDrive(trip, { drivenMs: trip.end_time - trip.start_time, ids: [trip.id] }, writing),
  };
}

type DriveSummary = Omit<NumberedTrip, "id" | "kind">;

function toDrive(
  trip: DriveSummary,
  { drivenMs, ids }: { drivenMs: number; ids: number[] },
  { write, norm, eventsIn, addressAt }: TrackContext,
): Drive {
  const length = kilometers(trip.length_meters);
  const averageKmh = drivenMs > 0 ? trip.length_meters / 1000 / (drivenMs / HOUR_MS) : 0;
  return {
    start_date: write(trip.start_time),
    start_address: addressAt(trip.start_lat, trip.start_lng),
    max_speed: Math.round(trip.max_speed_kmh),
    end_date: write(trip.end_time),
    end_address: addressAt(trip.end_lat, trip.end_lng),
    length,
    points: trip.points,
    // Speeds and positions are measured independently: the average must not exceed the maximum.
    avg_speed: Math.round(Math.min(averageKmh, trip.max_speed_kmh)),
    ...(eventsIn ? { event_count: ids.reduce((sum, id) => sum + eventsIn(id), 0) } : {}),
    ...fuelMembers(length, norm),
    gsm_lbs: isLbs(trip),
    bounds: toBounds(trip.bounds),
  };
}

function toSingleReport(trip: NumberedTrip, { write, addressAt }: TrackContext): SingleReport {
  return {
    type: "single_report",
    id: trip.id,
    start_date: write(trip.start_time),
    start_address: addressAt(trip.start_lat, trip.start_lng),
    avg_speed: Math.round(trip.max_speed_kmh),
    gsm_lbs: isLbs(trip),
    precision: trip.precision ?? undefined,
  };
}

function toCluster(trips: NumberedTrip[], first: NumberedTrip, { write, addressAt }: TrackContext): Cluster {
  const bounds = boundsAround(first.start_lat, first.start_lng);
  for (const { start_lat, start_lng } of trips) extendBounds(bounds, start_lat, start_lng);
  const precisions = trips.flatMap(({ precision }) => precision ?? []);
  return {
    type: "cluster",
    start_date: write(first.start_time),
    start_address: addressAt(first.start_lat, first.start_lng),
    end_date: write(trips.at(-1)?.end_time ?? first.end_time),
    precision: precisions.length > 0 ? Math.max(...precisions) : undefined,
    points: trips.map(({ start_lat, start_lng }) => ({ lat: start_lat, lng: start_lng })),
    bounds: toBounds(wrapBounds(bounds)),
    gsm_lbs: trips.every(isLbs),
  };
}

function toBounds({ south, west, north, east }: Bounds) {
  return { nw: { lat: north, lng: west }, se: { lat: south, lng: east } };
}

function unwrapBounds({ south, west, north, east }: Bounds): Bounds {
  return { south, west, north, east: east < west ? east + 360 : east };
}

function fuelMembers(toKilometers: number, norm: number | null) {
  return norm ? { norm_fuel_consumed: Math.round(toKilometers * norm * 10) / 1000 } : {};
}

function kilometers(meters: number) {
  return Math.round(meters) / 1000;
}

/** An ISO 8601 duration such as PT1H25M10S. */
function toIsoDuration(ms: number) {
  const seconds = Math.round(ms / 1000);
  return Temporal.Duration.from({ seconds }).round({ largestUnit: "hours" }).toString();
}

function sumOf(trips: NumberedTrip[], measure: (trip: NumberedTrip) => number) {
  return trips.reduce((sum, trip) => sum + measure(trip), 0);
}
