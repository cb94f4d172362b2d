import type { Page } from "#shared/operation/list-answer.ts";
import type { PointInfo, Track } from "./schema.ts";
import { heldWith, type TrackPoint, type TrackPoints, thinned } from "./track-point.ts";

/** A track to be shown, with the trips that it is made of. */
export type Draft = { track: Track; tripIds: number[] };

/** The pages of a source that is read as the answer is: one page ahead, to know which is the last. */
export async function firstPage<Item>(pages: AsyncIterator<Item[]>): Promise<Page<Item>> {
  const first = await pages.next();
  return first.done ? { items: [] } : pageBefore(first.value, pages);
}

/** The same pages, the first of them read already: what fails before the answer begins is answered as a failure. */
export async function begun<Item>(pages: AsyncGenerator<Item>): Promise<AsyncGenerator<Item>> {
  const first = await pages.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* pages;
  })();
}

/** Puts points into the tracks: both are in time order, so only one track's points are in memory at a time. */
export async function* withPoints(
  drafts: Draft[],
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
      if (draft) ready.push(filled(draft, thinned(held, limit).map(write)));
      size += 1 + Math.min(held.length, limit);
      held = [];
    }
  };
  for await (const page of pages) {
    let run: TrackPoint[] = [];
    for (const point of page) {
      const index = point.trip_id === null ? undefined : trackOf.get(point.trip_id);
      if (index === undefined) continue;
      if (index > next) {
        held = heldWith(held, run);
        run = [];
        finish(index);
      }
      run.push(point);
    }
    held = heldWith(held, run);
    if (size < PAGE_SIZE) continue;
    yield ready;
    ready = [];
    size = 0;
  }
  finish(drafts.length);
  yield ready;
}

async function pageBefore<Item>(items: Item[], pages: AsyncIterator<Item[]>): Promise<Page<Item>> {
  const following = await pages.next();
  return following.done ? { items } : { items, next: () => pageBefore(following.value, pages) };
}

function filled({ track }: Draft, points_list: PointInfo[]): Track {
  return track.type === "cluster" ? track : { ...track, points_list };
}

/** Tracks and points: a megabyte at the most, as a rule. */
const PAGE_SIZE = 4000;
