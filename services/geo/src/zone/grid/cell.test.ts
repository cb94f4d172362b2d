import { expect, test } from "vitest";
import { boxOf, padBox } from "./box.ts";
import { cellOf, cellsAround } from "./cell.ts";

/** A Lehmer generator: the same positions in each run. */
function chance(seed: number) {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

test("cellsAround a place contain the cell of any box around the place", () => {
  const next = chance(7);
  const missed: object[] = [];
  for (let round = 0; round < 20_000; round++) {
    const size = 10 ** (next() * 7 - 4.5);
    const [lat, lng] = [next() * 180 - 90, next() * 360 - 180];
    const south = Math.max(-90, lat - size * next());
    const north = Math.min(90, lat + size * next());
    const west = lng - Math.min(179, size) * next();
    const east = lng + Math.min(179, size) * next();
    const box = { south, north, west: west < -180 ? west + 360 : west, east: east > 180 ? east - 360 : east };
    if (!cellsAround(lat, lng).includes(cellOf(box))) missed.push({ lat, lng, box });
  }
  expect(missed).toEqual([]);
});

test("cellsAround contain a box's cell at the date line and the poles too", () => {
  const whole = { south: -90, west: -180, north: 90, east: 180 };
  for (const [lat, lng] of [
    [90, 180],
    [-90, -180],
    [0, 180],
    [0, 0],
  ] as const) {
    const here = boxOf([{ lat, lng }]);
    for (const box of [whole, here, padBox(here, 50), padBox(here, 300_000)]) {
      expect(cellsAround(lat, lng)).toContain(cellOf(box));
    }
  }
  // The longitudes -180 and 180 are one meridian.
  expect(cellsAround(10, -180)).toContain(cellOf(boxOf([{ lat: 10, lng: 180 }])));
});

test("cellsAround a place a kilometre off do not contain a small box's cell", () => {
  const box = padBox(boxOf([{ lat: 52.5, lng: 13.4 }]), 50);
  expect(cellsAround(52.51, 13.4)).not.toContain(cellOf(box));
  expect(cellsAround(52.5, 13.42)).not.toContain(cellOf(box));
});
