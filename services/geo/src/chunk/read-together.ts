import type { Database } from "#shared/database/open.ts";
import type { GeoEnv } from "../env.ts";
import { feedOf } from "../object/addresses.ts";
import type { OpenPoints } from "../object/open-points.ts";
import { databaseOf } from "./database/open.ts";
import { type ChunkStretch, ROOM_BYTES } from "./queries.ts";
import { type ChunkPage, readChunkPages } from "./read.ts";
import type { FeedStretch, ReadingMemory } from "./read-points.ts";

/** What is read first of each stretch, in their order: of many trackers together, some 5 MB at a time. */
export async function* readTogether(env: GeoEnv, stretches: FeedStretch[]): AsyncGenerator<ReadingMemory> {
  for (let rest = stretches; rest.length > 0; ) {
    // The open ones first: what a flush moves in the meantime is then seen twice, never missed.
    const opened = await openSome(env, rest);
    const wanted = opened.flatMap(({ anchor }, index) => {
      const stretch = rest[index];
      return stretch ? [{ ...stretch.feed, from: anchor?.time ?? stretch.from, to: stretch.to }] : [];
    });
    let next = 0;
    for await (const page of firstPages(env, wanted)) yield { opened: opened[next++], page };
    rest = rest.slice(opened.length);
  }
}

/**
 * The first page of each, in their order. All databases are asked side by side, for as much as there is room for beside
 * what is at hand of trackers whose turn comes later.
 */
async function* firstPages(env: GeoEnv, wanted: ChunkStretch[]): AsyncGenerator<ChunkPage> {
  const unread = Map.groupBy(wanted, ({ tracker_id }) => databaseOf(env, tracker_id));
  const atHand = new Map<ChunkStretch, ChunkPage>();
  for (const stretch of wanted) {
    if (!atHand.has(stretch)) {
      const room = ROOM_BYTES - bytesOf(atHand);
      const asked = [...unread].filter(([, rest]) => rest.length > 0 && (room > 0 || rest[0] === stretch));
      const share = Math.max(1, room / asked.length);
      await Promise.all(asked.map(([db, rest]) => take(db, rest, share)));
    }
    const page = atHand.get(stretch);
    if (!page) throw new Error("a stretch was asked for and not answered");
    atHand.delete(stretch);
    yield page;
  }

  async function take(db: Database, rest: ChunkStretch[], bytes: number) {
    const pages = await readChunkPages(db, env.ARCHIVE, rest, bytes);
    for (const [index, stretch] of rest.splice(0, pages.length).entries()) atHand.set(stretch, pages[index] ?? []);
  }
}

function bytesOf(pages: Map<ChunkStretch, ChunkPage>) {
  let bytes = 0;
  for (const page of pages.values()) for (const { data } of page) bytes += data.byteLength;
  return bytes;
}

/** The open points of the first stretches, until they are enough for the memory. */
async function openSome(env: GeoEnv, stretches: FeedStretch[]): Promise<OpenPoints[]> {
  const opened: OpenPoints[] = [];
  let bytes = 0;
  while (opened.length < stretches.length && bytes < MOST_BYTES) {
    const wave = stretches.slice(opened.length, opened.length + WAVE);
    const found = await Promise.all(
      wave.map(({ feed, from, to }) => feedOf(env, feed.tracker_id).openPoints(from, to)),
    );
    for (const one of found) bytes += one.points.byteLength;
    opened.push(...found);
  }
  return opened;
}

const WAVE = 10;
const MOST_BYTES = 5_000_000;
