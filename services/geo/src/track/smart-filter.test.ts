import { expect, test } from "vitest";
import { reportAt, tripAt } from "../../../../test/tool/point/trips.ts";
import { isLbs, isShort } from "./smart-filter.ts";

const WIDE = { south: 50, west: 8, north: 50.1, east: 8.1 };

test.each([
  ["four points are enough", { points: 4 }, false],
  ["three are too few", { points: 3 }, true],
  ["300 m are enough", { length_meters: 300 }, false],
  ["less is too short", { length_meters: 299.9 }, true],
  // A thousandth of a degree of latitude is 111 m; of longitude at 50 degrees 72 m.
  ["200 m to the north are enough", { bounds: { ...WIDE, north: 50.0018, east: 8 } }, false],
  ["200 m to the east are enough", { bounds: { ...WIDE, north: 50, east: 8.0028 } }, false],
  ["a smaller box is none", { bounds: { ...WIDE, north: 50.0017, east: 8.0027 } }, true],
  [
    "a box over the date line is as large as another",
    { bounds: { south: 0, west: 179.999, north: 0, east: -179.999 } },
    false,
  ],
])("isShort decides that %s", (_, given, short) => {
  expect(isShort(tripAt(0, 600, given))).toBe(short);
});

test("isShort never drops a lone report", () => {
  expect(isShort(reportAt(0, 50, 8))).toBe(false);
});

test("isLbs takes a track for cell towers' only without a point of a receiver", () => {
  expect(isLbs({ points: 3, lbs_points: 3 })).toBe(true);
  expect(isLbs({ points: 3, lbs_points: 2 })).toBe(false);
});
