import type { Database } from "#shared/database/open.ts";
import type { GeoEnv } from "../env.ts";
import { feedOf } from "../object/addresses.ts";
import type { OpenPoints } from "../object/open-points.ts";
import { databaseOf } from "./database/open.ts";
import { type ChunkRange, PAGE_FILL_BYTES } from "./queries.ts";
import { type ChunkPage, readChunkPages } from "./read.ts";
import type { FeedRange, PrefetchedPoints } from "./read-points.ts";

/** Reads the open points and first page of each range, in their order: many trackers together, some 5 MB at a time. */
export async function* prefetchPoints(env: GeoEnv, ranges: FeedRange[]): AsyncGenerator<PrefetchedPoints> {
  for (let rest = ranges; rest.length > 0; ) {
    // Open points first: points that a flush moves meanwhile are then read twice, but never missed.
    const opened = await readOpenPoints(env, rest);
    const ranges = opened.flatMap(({ anchor }, index) => {
      const range = rest[index];
      return range ? [{ ...range.feed, from: anchor?.time ?? range.from, to: range.to }] : [];
    });
    let next = 0;
    for await (const page of firstPages(env, ranges)) yield { opened: opened[next++], page };
    rest = rest.slice(opened.length);
  }
}

/**
 * The first page of each range, in their order. Reads all databases concurrently, within the memory left beside pages
 * of later ranges.
 */
async function* firstPages(env: GeoEnv, ranges: ChunkRange[]): AsyncGenerator<ChunkPage> {
  const unread = Map.groupBy(ranges, ({ tracker_id }) => databaseOf(env, tracker_id));
  const fetched = new Map<ChunkRange, ChunkPage>();
  for (const range of ranges) {
    if (!fetched.has(range)) {
      const freeBytes = PAGE_FILL_BYTES - bytesOf(fetched);
      const databases = [...unread].filter(([, rest]) => rest.length > 0 && (freeBytes > 0 || rest[0] === range));
      const bytesEach = Math.max(1, freeBytes / databases.length);
      await Promise.all(databases.map(([db, rest]) => fetchPages(db, rest, bytesEach)));
    }
    const page = fetched.get(range);
    if (!page) throw new Error("a stretch was asked for and not answered");
    fetched.delete(range);
    yield page;
  }

  async function fetchPages(db: Database, rest: ChunkRange[], bytes: number) {
    const pages = await readChunkPages(db, env.ARCHIVE, rest, bytes);
    for (const [index, range] of rest.splice(0, pages.length).entries()) fetched.set(range, pages[index] ?? []);
  }
}

function bytesOf(pages: Map<ChunkRange, ChunkPage>) {
  let bytes = 0;
  for (const page of pages.values()) for (const { data } of page) bytes += data.byteLength;
  return bytes;
}

/** Open points of the first ranges, up to `MAX_OPEN_BYTES`. */
async function readOpenPoints(env: GeoEnv, ranges: FeedRange[]): Promise<OpenPoints[]> {
  const opened: OpenPoints[] = [];
  let bytes = 0;
  while (opened.length < ranges.length && bytes < MAX_OPEN_BYTES) {
    const wave = ranges.slice(opened.length, opened.length + FEEDS_PER_WAVE);
    const openPoints = await Promise.all(
      wave.map(({ feed, from, to }) => feedOf(env, feed.tracker_id).openPoints(from, to)),
    );
    for (const one of openPoints) bytes += one.points.byteLength;
    opened.push(...openPoints);
  }
  return opened;
}

const FEEDS_PER_WAVE = 10;
const MAX_OPEN_BYTES = 5_000_000;
