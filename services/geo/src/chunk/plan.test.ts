import { expect, test } from "vitest";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { recordedTrack } from "../../../../test/tool/point/recorded.ts";
import { decodePoints } from "../point/codec.ts";
import { cutChunks, planChunks } from "./plan.ts";

test("a chunk plan puts a late point into the chunk before it, and one before all chunks into the first", () => {
  const chunks = [headerOf(1, 100, 1500), headerOf(2, 300, 1500)];
  const points = [50, 150, 250, 350].map((seconds) => pointAt(seconds));
  expect(planOf(chunks, points)).toEqual([
    [1, [50, 150, 250]],
    [2, [350]],
  ]);
});

test("a chunk plan fills the last chunk while it is small, and then makes a new one", () => {
  const points = [450, 460].map((seconds) => pointAt(seconds));
  expect(planOf([headerOf(1, 100, 900)], points)).toEqual([[1, [450, 460]]]);
  expect(planOf([headerOf(1, 100, 1000)], points)).toEqual([[null, [450, 460]]]);
  expect(planOf([], points)).toEqual([[null, [450, 460]]]);
});

test("cutChunks makes chunks of equal size that keep every point and know their ends, length and bounds", () => {
  const points = recordedTrack("car-drive-every-second.json").flatMap((point) => [
    point,
    { ...point, time: point.time + 500 },
    { ...point, time: point.time + 700 },
  ]);
  const pieces = cutChunks(points);
  expect(pieces.map(({ row }) => row.count)).toEqual([1194, 1194, 1194]);
  expect(pieces.flatMap(({ row }) => decodePoints(row.data))).toEqual(points);
  const [piece] = pieces;
  expect(piece?.row).toMatchObject({ from: points[0]?.time, to: points[1193]?.time, bytes: piece?.row.data.length });
  expect(piece?.row.length).toBeGreaterThan(2500);
  expect(piece?.row.south).toBeLessThan(piece?.row.north ?? 0);
});

test("cutChunks cuts points with large attributes into chunks that a database page can hold", () => {
  const points = Array.from({ length: 60 }, (_, second) => pointAt(second, { attributes: { text: noise(second) } }));
  const pieces = cutChunks(points);
  expect(pieces.length).toBeGreaterThan(1);
  for (const { row } of pieces) expect(row.bytes).toBeLessThanOrEqual(1_000_000);
  expect(pieces.flatMap((piece) => piece.points)).toEqual(points);
});

function planOf(chunks: ReturnType<typeof headerOf>[], points: ReturnType<typeof pointAt>[]) {
  const seconds = (point: { time: number }) => (point.time - pointAt(0).time) / 1000;
  return planChunks(chunks, points).map((group) => [group.chunk?.id ?? null, group.points.map(seconds)]);
}

function headerOf(id: number, seconds: number, count: number) {
  const [first, last] = [pointAt(seconds), pointAt(seconds + 99)];
  const ends = { from: first.time, from_lat: 50, from_lng: 8, to: last.time, to_lat: 50, to_lng: 8 };
  const bounds = { south: 50, west: 8, north: 50, east: 8 };
  return { id, ...ends, count, lbs_count: 0, length: 0, max_speed: 0, ...bounds, bytes: 1, flush: 1, part: 0 };
}

/** A text that deflation hardly shrinks. */
function noise(seed: number) {
  let text = "";
  for (let value = seed + 1; text.length < 40_000; value = (value * 16_807) % 2_147_483_647) text += value.toString(36);
  return text;
}
