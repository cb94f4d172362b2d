import { Track, type TrackPoint, type Trip, toTimes } from "./track.ts";

/** A part of a track that one call reads. `limit`: the most points of its answer; undefined: all of them. */
export type Chunk = { from: number; to: number; limit: number | undefined };

/** Some points are decoded and drawn well within a frame's time, and a call of that many takes a moment. */
const POINTS_PER_CHUNK = 4_000;
/** More points of one vehicle than this are thinned out: a month with a point every ten seconds has fewer. */
const MAX_POINTS = 200_000;
const MAX_POINT_LIMIT = 3_000;

/** Divides trips into parts that are read one after another, so that none takes long. */
export function planChunks(trips: readonly Trip[]): Chunk[] {
  const total = trips.reduce((sum, { points }) => sum + points, 0);
  const share = MAX_POINTS / Math.max(total, MAX_POINTS);
  const chunks: Chunk[] = [];
  let open: { from: number; to: number; points: number } | undefined;
  const close = () => {
    if (open) chunks.push(...divide(open, share));
    open = undefined;
  };
  for (const trip of trips) {
    const { from, to } = toTimes(trip);
    if (open && open.points + trip.points > POINTS_PER_CHUNK) close();
    open = open ? { from: open.from, to, points: open.points + trip.points } : { from, to, points: trip.points };
  }
  close();
  return chunks;
}

/** Whether the track of these trips is thinned out. */
export function isThinned(trips: readonly Trip[]): boolean {
  return planChunks(trips).some(({ limit }) => limit !== undefined);
}

function divide(range: { from: number; to: number; points: number }, share: number): Chunk[] {
  const count = Math.ceil(range.points / POINTS_PER_CHUNK) || 1;
  const step = (range.to - range.from) / count;
  const wanted = Math.max(2, Math.floor((range.points / count) * share));
  const limit = share < 1 ? Math.min(wanted, MAX_POINT_LIMIT) : undefined;
  return Array.from({ length: count }, (_, index) => ({
    from: Math.floor(range.from + index * step),
    // A call needs a range that is longer than nothing; what two parts both have is taken once.
    to: Math.ceil(range.from + (index + 1) * step) + 1,
    limit,
  }));
}

export type ReadPoints = (tracker_id: number, chunk: Chunk, signal: AbortSignal) => Promise<readonly TrackPoint[]>;

/** Yields the track after each part of it that was read, until it is complete. */
export async function* loadTrack(tracker_id: number, trips: readonly Trip[], read: ReadPoints, signal: AbortSignal) {
  const track = new Track(trips.map(toTimes));
  const chunks = planChunks(trips);
  for (const [index, chunk] of chunks.entries()) {
    track.append(await read(tracker_id, chunk, signal));
    track.isComplete = index === chunks.length - 1;
    yield { track, share: (index + 1) / chunks.length };
  }
  if (chunks.length === 0) yield { track, share: 1 };
}
