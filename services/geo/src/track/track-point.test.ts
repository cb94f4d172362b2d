import { expect, test } from "vitest";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { chunksOf, collect, START, secondsOf, tripAt } from "../../../../test/tool/point/trips.ts";
import { appendThinned, simplifyPages, splitByTrip, type TrackPoint, thinOut, trackPoints } from "./track-point.ts";

const SECONDS = [0, 10, 20, 30, 40, 50, 60, 70];
const points = SECONDS.map((second) => pointAt(second, { speed: second }));
const trips = [tripAt(10, 30), tripAt(50, 60)];

test("trackPoints gives each point its trip, and none to a point between two trips", async () => {
  const all = await collect(trackPoints(chunksOf(points), trips, () => true));
  expect(secondsOf(all)).toEqual(SECONDS);
  expect(all.map(({ trip_id }) => trip_id)).toEqual([null, 11, 11, 11, null, 51, 51, null]);
  expect(all[4]).toMatchObject({ speed: 40, meters: 400 });
});

test("trackPoints keeps the wanted points alone", async () => {
  const parked = await collect(trackPoints(chunksOf(points), trips, ({ trip_id }) => trip_id === null));
  expect(secondsOf(parked)).toEqual([0, 40, 70]);
});

test("splitByTrip gives points trip after trip, however they are paged", async () => {
  for (const size of [1, 3, 100]) {
    const found: number[][] = [];
    for await (const { points: ofTrip } of splitByTrip(trackPoints(chunksOf(points, size), trips, isDriven))) {
      const seconds: number[] = [];
      for await (const { point } of ofTrip) seconds.push((point.time - START) / 1000);
      found.push(seconds);
    }
    expect(found).toEqual([
      [10, 20, 30],
      [50, 60],
    ]);
  }
});

test("thinOut keeps the ends of the track and of each trip within the limit", () => {
  const zigzag = Array.from({ length: 100 }, (_, index) => trackPoint(index, index % 7, index < 50 ? 1 : 2));
  const kept = secondsOf(thinOut(zigzag, 20));
  expect(kept).toHaveLength(20);
  expect(kept).toEqual(expect.arrayContaining([0, 49, 50, 99]));
});

test("thinOut keeps to the limit when there are more trips than it", () => {
  const many = Array.from({ length: 100 }, (_, index) => trackPoint(index, index % 7, index >> 1));
  expect(thinOut(many, 2)).toEqual([many[0], many[99]]);
});

test("simplifyPages keeps all points up to the limit, those on a straight line too", async () => {
  expect(await simplifyPages(toChunks(30), 30)).toHaveLength(30);
  expect((await simplifyPages(toChunks(31), 30)).length).toBeLessThan(30);
});

test("appendThinned thins a track of any length before it fills the memory", () => {
  let held: TrackPoint[] = [];
  for (let start = 0; start < 100_000; start += 2000) {
    held = appendThinned(
      held,
      Array.from({ length: 2000 }, (_, index) => trackPoint(start + index, Math.sin(start + index), 1)),
    );
    expect(held.length).toBeLessThanOrEqual(80_000);
  }
  expect(secondsOf(held).at(-1)).toBe(99_999);
});

function isDriven({ trip_id }: TrackPoint) {
  return trip_id !== null;
}

function trackPoint(seconds: number, north: number, trip_id: number): TrackPoint {
  const point = pointAt(seconds, { lat: 50 + north / 100, lng: 8 + seconds / 1e5 });
  return { point, speed: 0, meters: 0, trip_id };
}

async function* toChunks(count: number) {
  yield Array.from({ length: count }, (_, index) => trackPoint(index, index % 7, 1));
}
