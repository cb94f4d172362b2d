import type { Page } from "#shared/operation/list-answer.ts";
import type { PointInfo, Track } from "./schema.ts";
import { appendThinned, type TrackPoint, type TrackPoints, thinOut } from "./track-point.ts";

/** A track of the answer, with the ids of its trips. */
export type TrackDraft = { track: Track; tripIds: number[] };

/** The first page of a stream. One page is read ahead, to know which page is the last. */
export async function firstPage<Item>(pages: AsyncIterator<Item[]>): Promise<Page<Item>> {
  const first = await pages.next();
  return first.done ? { items: [] } : pageAfterRead(first.value, pages);
}

/** Reads the first page before it answers the stream: a failure up to there becomes an error answer. */
export async function readFirst<Item>(pages: AsyncGenerator<Item>): Promise<AsyncGenerator<Item>> {
  const first = await pages.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* pages;
  })();
}

/** Adds points to tracks. Both come in time order, so only the points of one track are in memory. */
export async function* addPoints(
  drafts: TrackDraft[],
  pages: TrackPoints,
  limit: number,
  write: (point: TrackPoint) => PointInfo,
): AsyncGenerator<Track[]> {
  const trackOf = new Map(drafts.flatMap(({ tripIds }, index) => tripIds.map((id) => [id, index])));
  let ready: Track[] = [];
  let size = 0;
  let next = 0;
  let held: TrackPoint[] = [];
  const finish = (until: number) => {
    for (; next < until; next++) {
      const draft = drafts[next];
      if (draft) ready.push(fillDraft(draft, thinOut(held, limit).map(write)));
      size += 1 + Math.min(held.length, limit);
      held = [];
    }
  };
  for await (const page of pages) {
    let tripPoints: TrackPoint[] = [];
    for (const point of page) {
      const index = point.trip_id === null ? undefined : trackOf.get(point.trip_id);
      if (index === undefined) continue;
      if (index > next) {
        held = appendThinned(held, tripPoints);
        tripPoints = [];
        finish(index);
      }
      tripPoints.push(point);
    }
    held = appendThinned(held, tripPoints);
    if (size < MAX_ITEMS_PER_PAGE) continue;
    yield ready;
    ready = [];
    size = 0;
  }
  finish(drafts.length);
  yield ready;
}

async function pageAfterRead<Item>(items: Item[], pages: AsyncIterator<Item[]>): Promise<Page<Item>> {
  const following = await pages.next();
  return following.done ? { items } : { items, next: () => pageAfterRead(following.value, pages) };
}

function fillDraft({ track }: TrackDraft, points_list: PointInfo[]): Track {
  return track.type === "cluster" ? track : { ...track, points_list };
}

/** Tracks and points together; usually less than a megabyte. */
const MAX_ITEMS_PER_PAGE = 4000;
