import { boundsAround, extendBounds, wrapBounds } from "../point/bounds.ts";
import { encodePoints } from "../point/codec.ts";
import { distancesOf, measurePoints } from "../point/measured.ts";
import { comparePoints, type Identity, type Point } from "../point/point.ts";
import type { ChunkHeader, NewChunk } from "../table/chunk/chunk.ts";

/** Points to be merged into one chunk; null: points that make new chunks at the end. */
export type ChunkGroup = { chunk: ChunkHeader | null; points: Point[] };

/** Distributes sorted points over the chunks: each goes into the last chunk that begins before it. */
export function planChunks(chunks: ChunkHeader[], points: Point[]): ChunkGroup[] {
  const groups: ChunkGroup[] = [];
  let index = 0;
  let group: ChunkGroup | undefined;
  for (const [position, point] of points.entries()) {
    for (let next = chunks[index + 1]; next && comparePoints(firstOf(next), point) <= 0; next = chunks[index + 1])
      index++;
    const chunk = chunks[index] ?? null;
    // A large last chunk does not grow: later points make a new one.
    const isAfterLast = chunk !== null && index === chunks.length - 1 && comparePoints(lastOf(chunk), point) < 0;
    const target = isAfterLast && chunk.count >= MIN_FULL_CHUNK_POINTS && !isGroupOf(group, chunk) ? null : chunk;
    if (!group || group.chunk?.id !== target?.id) {
      group = { chunk: target, points: [] };
      groups.push(group);
    }
    group.points.push(point);
    if (chunk && !isAfterLast) continue;
    // All later points go into the same group.
    for (const one of points.slice(position + 1)) group.points.push(one);
    break;
  }
  return groups;
}

/** A chunk to be written, with its points and the distances between them in meters. */
export type CutChunk = { points: Point[]; distances: Float64Array; row: NewChunk };

export function cutChunks(points: Point[]): CutChunk[] {
  if (points.length === 0) return [];
  const pieces = points.length <= MAX_CHUNK_POINTS ? 1 : Math.ceil(points.length / TARGET_CHUNK_POINTS);
  const size = Math.ceil(points.length / pieces);
  return Array.from({ length: pieces }, (_, index) => points.slice(index * size, (index + 1) * size)).flatMap(toChunks);
}

export function firstOf({ from, from_lat, from_lng }: Pick<ChunkHeader, "from" | "from_lat" | "from_lng">): Identity {
  return { time: from, lat: from_lat, lng: from_lng };
}

export function lastOf({ to, to_lat, to_lng }: Pick<ChunkHeader, "to" | "to_lat" | "to_lng">): Identity {
  return { time: to, lat: to_lat, lng: to_lng };
}

/** True if a late point opened the last chunk's group already: the chunk is rewritten anyway. */
function isGroupOf(group: ChunkGroup | undefined, chunk: ChunkHeader) {
  return group?.chunk?.id === chunk.id;
}

function toChunks(points: Point[]): CutChunk[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  const data = encodePoints(points, "deflated");
  if (data.length > MAX_DATA_BYTES && points.length > 1) {
    const half = points.length >> 1;
    return [...toChunks(points.slice(0, half)), ...toChunks(points.slice(half))];
  }
  const distances = distancesOf(points);
  const { meters, speedsKmh } = measurePoints(points, null, distances);
  const bounds = boundsAround(first.lat, first.lng);
  let lbs = 0;
  for (const point of points) {
    extendBounds(bounds, point.lat, point.lng);
    if (point.gsm_lbs) lbs++;
  }
  const row = {
    from: first.time,
    from_lat: first.lat,
    from_lng: first.lng,
    to: last.time,
    to_lat: last.lat,
    to_lng: last.lng,
    count: points.length,
    lbs_count: lbs,
    length: meters.reduce((sum, step) => sum + step, 0),
    max_speed: speedsKmh.reduce((most, one) => Math.max(most, one), 0),
    ...wrapBounds(bounds),
    bytes: data.length,
    data: Buffer.from(data.buffer, data.byteOffset, data.length),
  };
  return [{ points, distances, row }];
}

const MIN_FULL_CHUNK_POINTS = 1000;
const TARGET_CHUNK_POINTS = 1500;
const MAX_CHUNK_POINTS = 2000;
/** Larger data is halved: see `MAX_CHUNK_BYTES`. */
const MAX_DATA_BYTES = 1_000_000;
