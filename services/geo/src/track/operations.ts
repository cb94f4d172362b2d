import * as z from "zod";
import { type StoredRange, storedRange, type TimeRange } from "#shared/contract/tracker/stored-range.ts";
import { requireTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { downloadHeaders } from "#shared/operation/download.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { MEDIA_TYPES } from "#shared/operation/media-type.ts";
import { type Clock, writeIso, writeLocal } from "#shared/time/clock.ts";
import { requireSpan } from "#shared/time/span.ts";
import { type PrefetchedPoints, readPoints } from "../chunk/read-points.ts";
import type { GeoEnv } from "../env.ts";
import { languageOf, readAddresses } from "../geocoder/geocode.ts";
import { feedOf } from "../object/addresses.ts";
import type { NumberedTrip } from "../object/trip.ts";
import { operation } from "../operation.ts";
import { type KmlContent, type KmlPoint, trackName, writeKml, writeKmz } from "../zone/file/kml.ts";
import { clusterReports } from "./cluster.ts";
import { dropLbsPoints, isMixed } from "./drop-lbs-points.ts";
import { endPositionsOf } from "./end-positions.ts";
import { eventCounts } from "./event-counts.ts";
import { intersect } from "./intersect.ts";
import { addPoints, firstPage, readFirst, type TrackDraft } from "./pages.ts";
import { pointAddresses } from "./point-addresses.ts";
import { toPointInfo } from "./point-info.ts";
import { isForward, NOT_FORWARD, PointInfo, PointLimit, RANGE_INPUT, Total, Track } from "./schema.ts";
import { isLbs, isShort } from "./smart-filter.ts";
import {
  flattenPages,
  simplifyPages,
  splitByTrip,
  type TrackPoint,
  type TrackPoints,
  trackPoints,
} from "./track-point.ts";
import { mergeTrips, type TrackContext, toTotal, toTrack } from "./tracks.ts";

export const listTracks = operation("/track/list", {
  summary: "The complete tracks that overlap a range",
  reads: true,
  input: z
    .object({
      ...RANGE_INPUT,
      filter: z.boolean().default(true),
      split: z.boolean().default(true),
      include_gsm_lbs: z.boolean().default(true),
      cluster_single_reports: z.boolean().default(false),
      count_events: z.boolean().default(false),
      omit_addresses: z.boolean().default(false),
      with_points: z.boolean().default(false),
      point_limit: PointLimit,
    })
    .refine(isForward, NOT_FORWARD),
  output: z.object({ limit_exceeded: z.boolean(), list: z.array(Track), total: Total }),
  errors: [201, 208, 211],
  async run(input, call) {
    const { env, clock, principal } = call;
    const { tracker, feed, range } = await openTracker(input, call);
    const touching = await selectTripsIn(feed, range);
    // Trips that began before the storage period would reveal where the tracker was then.
    const stored = touching.filter(({ start_time }) => start_time >= range.since);
    const lbs = input.include_gsm_lbs;
    // If points are answered too, they are read once for both.
    const readOptions = input.with_points ? { lbs, tripsToRead: stored, memory: {} } : { lbs };
    const readTrips = async () => {
      const mixed = readTripPoints(env, tracker.feed, stored.filter(isMixed), readOptions);
      const visibleTrips = lbs ? stored : await dropLbsPoints(stored, mixed);
      const trips = input.filter ? visibleTrips.filter((trip) => !isShort(trip)) : visibleTrips;
      const points = input.with_points && (await readFirst(readTripPoints(env, tracker.feed, trips, readOptions)));
      return { trips, points };
    };
    const ends = input.omit_addresses ? [] : stored.flatMap(endPositionsOf);
    // Without points of cell towers a track may start elsewhere: such starts have no address.
    const [addressAt, { trips, points }, eventsIn, recorded] = await Promise.all([
      readAddresses(env, ends, languageOf(principal.locale)),
      readTrips(),
      input.count_events ? eventCounts(env, principal, input.tracker_id, stored) : null,
      input.with_points && !input.omit_addresses ? selectRecordedAddresses(stored, input.tracker_id, call) : [],
    ]);
    const writing = { write: clock.write, norm: tracker.norm_avg_fuel_consumption, eventsIn, addressAt };
    const drafts = toDrafts(trips, input, Number(env.CLUSTER_METERS), writing);
    const total = toTotal(trips, drafts.length, { from: range.from, to: input.to }, writing, clock.now());
    const head = { limit_exceeded: range.limit_exceeded, total };
    if (!points) return { ...head, list: drafts.map(({ track }) => track) };
    const addressOf = pointAddresses(trips, addressAt, recorded);
    const filled = addPoints(drafts, points, input.point_limit, (point) => toPointInfo(point, clock, addressOf));
    return listAnswer(head, await firstPage(filled));
  },
});

export const readTrack = operation("/track/read", {
  summary: "The points of a range, or of one track in it",
  reads: true,
  expensive: true,
  input: z
    .object({
      ...RANGE_INPUT,
      track_id: z.int().optional(),
      include_gsm_lbs: z.boolean().default(true),
      simplify: z.boolean().default(true),
      point_limit: PointLimit,
      filter: z.boolean().default(true),
    })
    .refine(isForward, NOT_FORWARD),
  output: z.object({ limit_exceeded: z.boolean(), list: z.array(PointInfo) }),
  errors: [201, 208, 211],
  async run({ track_id, ...input }, call) {
    const { env, clock, principal } = call;
    const opened = await openTracker(input, call);
    const { limit_exceeded, from, to } = opened.range;
    const track_ids = track_id === undefined ? undefined : [track_id];
    const selected = await selectTrips(track_ids, opened);
    const { trips } = selected;
    const [pages, addressAt, recorded] = await Promise.all([
      selectPoints({ ...input, track_ids }, selected, opened, call).then(readFirst),
      readAddresses(env, trips.flatMap(endPositionsOf), languageOf(principal.locale)),
      from > to ? [] : env.FLEET.eventAddresses(principal, input.tracker_id, { from, to }),
    ]);
    const addressOf = pointAddresses(trips, addressAt, recorded);
    const pointPages = mapPages(pages, (point) => toPointInfo(point, clock, addressOf));
    return listAnswer({ limit_exceeded }, await firstPage(pointPages));
  },
});

export const downloadTrack = operation("/track/download", {
  summary: "The points of a range, or of some tracks in it, as KML",
  reads: true,
  reply: ["kml", "kmz", "json"],
  expensive: true,
  input: z
    .object({
      ...RANGE_INPUT,
      track_ids: z.array(z.int()).max(10_000).optional(),
      include_gsm_lbs: z.boolean().default(true),
      simplify: z.boolean().default(true),
      point_limit: PointLimit,
      filter: z.boolean().default(true),
      format: z.enum(["kml", "kmz"]).default("kml"),
      split: z.boolean().default(false),
    })
    .refine(isForward, NOT_FORWARD),
  output: z.object({ limit_exceeded: z.boolean(), list: z.array(PointInfo) }),
  errors: [201, 208, 211],
  async run(input, call) {
    const { clock } = call;
    const opened = await openTracker(input, call);
    if (opened.range.limit_exceeded) return { limit_exceeded: true, list: [] };
    const selected = await selectTrips(input.track_ids, opened);
    const pages = await selectPoints({ ...input, parking: !input.filter && !input.split }, selected, opened, call);
    const name = trackName(opened.tracker.label, writeLocal(input.from, clock.zone));
    const content = toKmlContent(await readFirst(pages), input.split, clock);
    const document = input.format === "kml" ? writeKml(name, content) : writeKmz(name, content);
    return new Response(document, { headers: downloadHeaders(`${name}.${input.format}`, MEDIA_TYPES[input.format]) });
  },
});

export const operations = [listTracks, readTrack, downloadTrack];

type Feed = ReturnType<typeof feedOf>;
type OpenedTracker = Awaited<ReturnType<typeof openTracker>>;

async function openTracker(input: TimeRange & { tracker_id: number }, { env, principal, clock }: Call<GeoEnv>) {
  requireSpan(input, env.MAX_SPANS, "tracks", clock.zone);
  const visible = await env.FLEET.trackersOf(principal, [input.tracker_id]);
  const tracker = requireTracker(visible, { missing: 201 });
  const feed = feedOf(env, tracker.feed.tracker_id);
  return { tracker, feed, range: storedRange(input, [tracker.store_period, principal.store_period], clock) };
}

async function selectTripsIn(feed: Feed, { from, to }: StoredRange): Promise<NumberedTrip[]> {
  return from > to ? [] : feed.trips(from, to);
}

type PointSelection = {
  track_ids?: number[];
  include_gsm_lbs: boolean;
  simplify: boolean;
  point_limit: number;
  filter: boolean;
  /** True: points outside of trips are included. By default they are if nothing is filtered. */
  parking?: boolean;
};

type SelectedTrips = { trips: NumberedTrip[]; memory: PrefetchedPoints };

/** The trips of the ids, or all that touch the range, with the open points of the same feed call. */
async function selectTrips(ids: number[] | undefined, { feed, range }: OpenedTracker): Promise<SelectedTrips> {
  if (!ids && range.from > range.to) return { trips: [], memory: {} };
  const { trips, opened } = await feed.tripsWithOpenPoints(range.from, range.to, ids);
  const tripIds = new Set(trips.map(({ id }) => id));
  if (ids && !ids.every((id) => tripIds.has(id))) throw new ApiError(201);
  return { trips, memory: { opened } };
}

/** The selected points, simplified or page by page. */
async function selectPoints(
  chosen: PointSelection,
  { trips, memory }: SelectedTrips,
  { tracker, range }: OpenedTracker,
  { env }: Call<GeoEnv>,
) {
  const pages = chosen.track_ids
    ? readTripPoints(env, tracker.feed, trips, { lbs: true, range, memory })
    : readRangePoints(chosen, { trips, memory }, { tracker, range }, env);
  return chosen.simplify ? onePage(await simplifyPages(pages, chosen.point_limit)) : pages;
}

function readRangePoints(
  chosen: PointSelection,
  { trips, memory }: SelectedTrips,
  { tracker, range }: Pick<OpenedTracker, "tracker" | "range">,
  env: GeoEnv,
) {
  const { filter, include_gsm_lbs: lbs, parking = !filter } = chosen;
  // Positions of cell towers jump even while the tracker is parked: such short trips are hidden.
  const jitter = new Set(trips.filter((trip) => filter && isLbs(trip) && isShort(trip)).map(({ id }) => id));
  if (range.from > range.to) return onePage([]);
  return trackPoints(readPoints(env, tracker.feed, range.from, range.to, memory), trips, ({ point, trip_id }) => {
    if (!lbs && point.gsm_lbs) return false;
    return trip_id === null ? parking : !jitter.has(trip_id);
  });
}

/** Recorded addresses of events on the trips. */
async function selectRecordedAddresses(trips: NumberedTrip[], tracker_id: number, { env, principal }: Call<GeoEnv>) {
  const [first, last] = [trips[0], trips.at(-1)];
  if (!first || !last) return [];
  return env.FLEET.eventAddresses(principal, tracker_id, { from: first.start_time, to: last.end_time });
}

/** `tripsToRead`: read the range of these trips, if it is wider than that of the requested trips. */
type ReadOptions = { lbs: boolean; range?: TimeRange; tripsToRead?: NumberedTrip[]; memory?: PrefetchedPoints };

/** Points of the trips within the range. The trips may lie far apart. */
async function* readTripPoints(
  env: GeoEnv,
  feed: { account_id: number; tracker_id: number },
  trips: NumberedTrip[],
  { lbs, range = ALL_TIME, tripsToRead = trips, memory }: ReadOptions,
): AsyncGenerator<TrackPoint[]> {
  const [first, last] = [tripsToRead[0], tripsToRead.at(-1)];
  if (!first || !last || trips.length === 0) return;
  const { from, to } = intersect({ from: first.start_time, to: last.end_time }, range);
  if (from > to) return;
  const chunks = readPoints(env, feed, from, to, memory);
  yield* trackPoints(chunks, trips, ({ point, trip_id }) => trip_id !== null && (lbs || !point.gsm_lbs));
}

type TrackOptions = { split: boolean; cluster_single_reports: boolean };

function toDrafts(
  trips: NumberedTrip[],
  options: TrackOptions,
  clusterMeters: number,
  writing: TrackContext,
): TrackDraft[] {
  if (!options.split) {
    return mergeTrips(trips, writing).map((track) => ({ track, tripIds: trips.map(({ id }) => id) }));
  }
  const groups = options.cluster_single_reports ? clusterReports(trips, clusterMeters) : trips.map((trip) => [trip]);
  return groups.map((group) => ({ track: toTrack(group, writing), tripIds: group.map(({ id }) => id) }));
}

function toKmlContent(pages: TrackPoints, split: boolean, { zone }: Pick<Clock, "zone">): KmlContent {
  if (!split) return { points: toKmlPoints(flattenPages(pages), zone) };
  return { trips: toKmlTrips(pages, zone) };
}

async function* toKmlTrips(pages: TrackPoints, zone: string) {
  for await (const { points } of splitByTrip(pages)) yield { points: toKmlPoints(points, zone) };
}

async function* toKmlPoints(points: AsyncIterable<TrackPoint>, zone: string): AsyncGenerator<KmlPoint> {
  for await (const { point, speed } of points) {
    const iso = writeIso(point.time, zone);
    const millis = String(point.time % 1000).padStart(3, "0");
    yield {
      time: writeLocal(point.time, zone),
      iso_time: `${iso.slice(0, 19)}.${millis}${iso.slice(19)}`,
      lat: point.lat,
      lng: point.lng,
      speed: Math.round(speed),
      heading: point.heading,
    };
  }
}

async function* mapPages<From, To>(pages: AsyncIterable<From[]>, change: (item: From) => To): AsyncGenerator<To[]> {
  for await (const page of pages) yield page.map(change);
}

async function* onePage(points: TrackPoint[]): AsyncGenerator<TrackPoint[]> {
  yield points;
}

const ALL_TIME: TimeRange = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
