import { pagesOf } from "../chunk/pages.ts";
import { firstOf, lastOf } from "../chunk/plan.ts";
import { decodePoints } from "../point/codec.ts";
import { comparePoints, type Identity, mergePoints, type Point, pointsWithin, UNMEASURED } from "../point/point.ts";
import type { ChunkHeader } from "../table/chunk/chunk.ts";
import type { PointMemory } from "./point-memory.ts";
import type { StoredChunks } from "./stored-chunks.ts";

type PointSources = { memory: PointMemory; stored: StoredChunks };

/** All points after one, in order and in slices; chunks are read page by page. */
export async function* pagesAfter({ memory, stored }: PointSources, after: Identity): AsyncGenerator<Point[]> {
  let open = openPointsAfter(memory, after);
  for (const page of pagesOf(chunksSince(stored, after))) {
    const data = await stored.read(page);
    for (const chunk of page) {
      const [within, rest] = splitAfter(open, chunk);
      open = rest;
      yield* slicesOf(mergePoints(decodePoints(bytesOf(data, chunk)), within).filter(isAfter(after)));
    }
  }
  yield* slicesOf(open);
}

/**
 * All points after one, in order; a chunk for which `isNeeded` answers false is not read, and contributes only its
 * first and last point.
 */
export async function* endsAfter(
  { memory, stored }: PointSources,
  after: Identity,
  isNeeded: (chunk: ChunkHeader) => boolean,
): AsyncGenerator<Point[]> {
  let open = openPointsAfter(memory, after);
  for (const chunk of chunksSince(stored, after)) {
    const [within, rest] = splitAfter(open, chunk);
    open = rest;
    const points = isNeeded(chunk) ? decodePoints(bytesOf(await stored.read([chunk]), chunk)) : endsOf(chunk);
    yield* slicesOf(mergePoints(points, within).filter(isAfter(after)));
  }
  yield* slicesOf(open);
}

function openPointsAfter(memory: PointMemory, after: Identity) {
  return pointsWithin(memory.open, after.time, Number.POSITIVE_INFINITY).filter(isAfter(after));
}

function chunksSince(stored: StoredChunks, { time }: Identity) {
  return stored.catalogue.all().slice(stored.catalogue.firstSince(time));
}

/** Splits points into those up to the chunk's last one and later ones. */
function splitAfter(points: Point[], chunk: ChunkHeader): [Point[], Point[]] {
  const end = points.findIndex((point) => comparePoints(point, lastOf(chunk)) > 0);
  return end === -1 ? [points, []] : [points.slice(0, end), points.slice(end)];
}

function bytesOf(data: Map<number, Uint8Array>, { id }: ChunkHeader) {
  const bytes = data.get(id);
  if (!bytes) throw new Error("a chunk was replaced meanwhile");
  return bytes;
}

function endsOf(chunk: ChunkHeader): Point[] {
  const [first, last] = [firstOf(chunk), lastOf(chunk)];
  const ends = comparePoints(first, last) === 0 ? [first] : [first, last];
  return ends.map((end) => ({ ...UNMEASURED, ...end }));
}

function isAfter(after: Identity) {
  return (point: Point) => comparePoints(point, after) > 0;
}

function* slicesOf(points: Point[]) {
  for (let start = 0; start < points.length; start += MAX_POINTS_PER_SLICE)
    yield points.slice(start, start + MAX_POINTS_PER_SLICE);
}

const MAX_POINTS_PER_SLICE = 1000;
