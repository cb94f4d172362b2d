import { openDatabase } from "#shared/database/open.ts";
import { readChunkPages } from "../chunk/read.ts";
import type { GeoEnv } from "../env.ts";
import { feedOf } from "./of-tracker.ts";
import type { OpenPoints } from "./open-points.ts";
import type { FeedStretch, ReadingMemory } from "./read-points.ts";

/** What is read first of each stretch, in their order: of many trackers together, some 5 MB at a time. */
export async function* readTogether(env: GeoEnv, stretches: FeedStretch[]): AsyncGenerator<ReadingMemory> {
  const db = openDatabase(env);
  for (let rest = stretches; rest.length > 0; ) {
    // The open ones first: what a flush moves in the meantime is then seen twice, never missed.
    const opened = await openSome(env, rest);
    for (let first = 0; first < opened.length; ) {
      const wanted = opened.slice(first).flatMap(({ anchor }, index) => {
        const stretch = rest[first + index];
        return stretch ? [{ ...stretch.feed, from: anchor?.time ?? stretch.from, to: stretch.to }] : [];
      });
      const pages = await readChunkPages(db, env.ARCHIVE, wanted);
      for (const [index, page] of pages.entries()) yield { opened: opened[first + index], page };
      first += pages.length;
    }
    rest = rest.slice(opened.length);
  }
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
