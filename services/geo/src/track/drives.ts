import type { Drive } from "#shared/drive.ts";
import type { FeedReference } from "../chunk/queries.ts";
import type { GeoEnv } from "../env.ts";
import { readPoints } from "../feed/read-points.ts";
import type { NumberedTrip } from "../trip/renumber.ts";

type Place = { lat: number; lng: number };
/** Where a tracker was when a track was cut. */
type Cut = Place & { time: number; meters: number };

/**
 * The tracks that touch the range, whole but for the cuts: each begins anew at the first point at or behind a cut. Without
 * a cut within a track no point is read.
 */
export async function drivesOf(
  env: GeoEnv,
  feed: FeedReference,
  { from, to }: { from: number; to: number },
  cuts: number[],
): Promise<Drive[]> {
  const trips = await env.FEEDS.getByName(String(feed.tracker_id)).trips(from, to);
  const tracks = trips.filter(({ kind }) => kind === "regular");
  const within = cuts.filter((cut) => tracks.some((track) => isWithin(cut, track))).toSorted((one, two) => one - two);
  const found = await placesOf(env, feed, tracks, within);
  return tracks.flatMap((track) => cutAt(track, found));
}

/** The points at which the tracks are cut, and those at which they begin. */
async function placesOf(env: GeoEnv, feed: FeedReference, tracks: NumberedTrip[], cuts: number[]): Promise<Cut[]> {
  const cutTracks = tracks.filter((track) => cuts.some((cut) => isWithin(cut, track)));
  const [first, last] = [cutTracks[0], cutTracks.at(-1)];
  if (!first || !last) return [];
  const wanted = [...cutTracks.map(({ start_time }) => start_time), ...cuts].toSorted((one, two) => one - two);
  const found: Cut[] = [];
  for await (const { points, meters } of readPoints(env, feed, first.start_time, last.end_time)) {
    for (const [index, { time, lat, lng }] of points.entries()) {
      let isWanted = false;
      for (let next = wanted[0]; next !== undefined && next <= time; next = wanted[0]) {
        wanted.shift();
        isWanted = true;
      }
      if (isWanted) found.push({ time, lat, lng, meters: meters[index] ?? 0 });
    }
  }
  return found;
}

function cutAt(track: NumberedTrip, found: Cut[]): Drive[] {
  const { start_time, end_time, start_lat, start_lng, end_lat, end_lng, length_meters } = track;
  const [start, end] = [
    { lat: start_lat, lng: start_lng },
    { lat: end_lat, lng: end_lng },
  ];
  const cuts = found.filter(({ time }) => isWithin(time, track));
  if (cuts.length === 0) return [{ start_time, end_time, start, end, length_meters }];
  const base = found.find(({ time }) => time === start_time)?.meters ?? 0;
  const stations = [
    { time: start_time, meters: 0, ...start },
    ...cuts.map((cut) => ({ ...cut, meters: cut.meters - base })),
    { time: end_time, meters: length_meters, ...end },
  ];
  return stations.slice(1).map((station, index) => {
    const before = stations[index] ?? station;
    return {
      ...{ start_time: before.time, end_time: station.time, length_meters: station.meters - before.meters },
      start: { lat: before.lat, lng: before.lng },
      end: { lat: station.lat, lng: station.lng },
    };
  });
}

function isWithin(time: number, { start_time, end_time }: NumberedTrip) {
  return start_time < time && time < end_time;
}
