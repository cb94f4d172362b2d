import { expect, test } from "vitest";
import { chanceOf } from "../../../../test/tool/chance.ts";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { comparePoints, mergePoints, pointsWithin, withoutPoints } from "./point.ts";

test("mergePoints takes a point sent twice as one, and two places at one time as two", () => {
  const [west, east] = [pointAt(0, { lng: 1 }), pointAt(0, { lng: 2 })];
  expect(mergePoints([west], [west, east])).toEqual([west, east]);
  expect(mergePoints([east], [west, west])).toEqual([west, east]);
});

test("mergePoints keeps the stored one of two points with one identity", () => {
  expect(mergePoints([pointAt(0, { speed: 5 })], [pointAt(0, { speed: 9 })])).toEqual([pointAt(0, { speed: 5 })]);
});

test("comparePoints takes places closer than a millionth of a degree as one", () => {
  expect(comparePoints(pointAt(0, { lat: 50.0000001 }), pointAt(0, { lat: 50.0000004 }))).toBe(0);
  expect(Object.is(pointAt(0, { lat: -0.0000001 }).lat, 0)).toBe(true);
});

test("merging and removing points equal union and difference of sets", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const chance = chanceOf(seed);
    const some = () => Array.from({ length: 30 }, () => pointAt(Math.floor(chance() * 40))).sort(comparePoints);
    const [first, second] = [mergePoints([], some()), some()];
    const times = (points: { time: number }[]) => points.map(({ time }) => time);
    const all = [...new Set([...times(first), ...times(second)])].sort((a, b) => a - b);
    expect(times(mergePoints(first, second))).toEqual(all);
    expect(times(withoutPoints(first, second))).toEqual(times(first).filter((time) => !times(second).includes(time)));
  }
});

test("pointsWithin includes both ends of a range", () => {
  const points = [0, 10, 20, 30].map((seconds) => pointAt(seconds));
  expect(pointsWithin(points, pointAt(10).time, pointAt(20).time)).toEqual(points.slice(1, 3));
});
