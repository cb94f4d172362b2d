import { expect, test } from "vitest";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { chunksOf, collect, reportAt, START, tripAt } from "../../../../test/tool/point/trips.ts";
import { addPoints, firstPage, readFirst, type TrackDraft } from "./pages.ts";
import { toPointInfo } from "./point-info.ts";
import type { Track } from "./schema.ts";
import { trackPoints } from "./track-point.ts";
import { mergeTrips, type TrackContext, toTrack } from "./tracks.ts";

const write = (ms: number) => String((ms - START) / 1000);
const writing: TrackContext = { write, norm: null, eventsIn: null, addressAt: () => "" };
const trips = [tripAt(10, 30), tripAt(50, 60), reportAt(70, 50, 8), reportAt(80, 50, 8), tripAt(90, 100)];
const points = Array.from({ length: 12 }, (_, index) => pointAt(10 * index, { lat: 50 + (index % 3) / 100 }));

test("addPoints gives every track its own points, however they are paged", async () => {
  const drafts = trips.map((trip) => draftOf([trip]));
  for (const size of [1, 5, 100]) {
    expect(listsOf(await fillPages(drafts, size))).toEqual([
      ["10", "20", "30"],
      ["50", "60"],
      ["70"],
      ["80"],
      ["90", "100"],
    ]);
  }
});

test("addPoints gives a cluster no points, and a merged track those of all its trips", async () => {
  const [first, second, ...rest] = trips;
  if (!first || !second) throw new Error("there are five");
  const clustered = [draftOf([first]), draftOf([second]), draftOf(rest.slice(0, 2)), draftOf(rest.slice(2))];
  expect(listsOf(await fillPages(clustered, 5))).toEqual([["10", "20", "30"], ["50", "60"], undefined, ["90", "100"]]);

  const [merged] = mergeTrips(trips, writing);
  if (!merged) throw new Error("there is one");
  const all = await fillPages([{ track: merged, tripIds: trips.map(({ id }) => id) }], 5);
  expect(listsOf(all)).toEqual([["10", "20", "30", "50", "60", "70", "80", "90", "100"]]);
});

test("addPoints keeps each track to the point limit", async () => {
  const lists = listsOf(await fillPages([draftOf(trips.slice(0, 1))], 2, 2));
  expect(lists).toEqual([["10", "30"]]);
});

test("addPoints makes several pages of tracks when there are many points", async () => {
  const long = Array.from({ length: 9000 }, (_, second) => pointAt(second));
  const thirds = [0, 3000, 6000].map((start) => tripAt(start, start + 2999, { id: start }));
  const pages: number[] = [];
  const source = trackPoints(chunksOf(long, 2000), thirds, () => true);
  for await (const page of addPoints(
    thirds.map((trip) => draftOf([trip])),
    source,
    3000,
    info,
  ))
    pages.push(page.length);
  expect(pages).toEqual([2, 1]);
});

test("firstPage and its next pages say which page is the last", async () => {
  const first = await firstPage(numbers(2));
  expect(first.items).toEqual([1]);
  const second = await first.next?.();
  expect(second).toEqual({ items: [2] });
  expect(await firstPage(numbers(0))).toEqual({ items: [] });
});

test("readFirst gives all items of the source that it began to read", async () => {
  expect(await collect(await readFirst(numbers(3)))).toEqual([1, 2, 3]);
  expect(await collect(await readFirst(numbers(0)))).toEqual([]);
});

function draftOf(of: typeof trips): TrackDraft {
  return { track: toTrack(of, writing), tripIds: of.map(({ id }) => id) };
}

function info(point: Parameters<typeof toPointInfo>[0]) {
  return toPointInfo(point, { write }, () => "");
}

function fillPages(drafts: TrackDraft[], size: number, limit = 3000): Promise<Track[]> {
  return collect(
    addPoints(
      drafts,
      trackPoints(chunksOf(points, size), trips, () => true),
      limit,
      info,
    ),
  );
}

function listsOf(tracks: Track[]) {
  return tracks.map((track) =>
    track.type === "cluster" ? undefined : track.points_list?.map(({ get_time }) => get_time),
  );
}

async function* numbers(count: number) {
  for (let number = 1; number <= count; number++) yield [number];
}
