import { expect, test } from "vitest";
import { metersBetween } from "#shared/geometry/distance.ts";
import { boxOf, padBox } from "./box.ts";

const at = (lat: number, lng: number) => ({ lat, lng });

test("boxOf goes the shorter way around the earth", () => {
  expect(boxOf([at(1, 10), at(-2, 20), at(0, 15)])).toEqual({ south: -2, west: 10, north: 1, east: 20 });
  expect(boxOf([at(1, 179.5), at(2, -179.25)])).toEqual({ south: 1, west: 179.5, north: 2, east: -179.25 });
  expect(boxOf([at(0, -90), at(0, 80)])).toMatchObject({ west: -90, east: 80 });
  expect(boxOf([at(0, -123.1), at(0, -123.3)])).toMatchObject({ west: -123.3, east: -123.1 });
  const western = Array.from({ length: 200 }, (_, index) => at(0, -123.9 + index / 1000));
  for (const place of western) expect(boxOf([at(0, -123.9362), place]).west).toBe(-123.9362);
  expect(boxOf([at(-90, -180), at(90, 180)])).toMatchObject({ west: -180, east: 180 });
});

test.each([0, 48.4, -65, 80])("padBox at latitude %d reaches the distance on each side and hardly farther", (lat) => {
  const meters = 10_000;
  const { south, west, north, east } = padBox(boxOf([at(lat, 8)]), meters);
  for (const side of [at(south, 8), at(north, 8), at(lat, west), at(lat, east)]) {
    const far = metersBetween(at(lat, 8), side);
    expect(far).toBeGreaterThanOrEqual(meters);
    expect(far).toBeLessThan(meters * 1.02);
  }
});

test("padBox crosses the date line, and goes all around at a pole", () => {
  expect(padBox(boxOf([at(0, 179.99)]), 5000)).toMatchObject({ west: expect.closeTo(179.945, 2) });
  expect(padBox(boxOf([at(0, 179.99)]), 5000).east).toBeCloseTo(-179.965, 2);
  expect(padBox(boxOf([at(89.99, 0)]), 5000)).toMatchObject({ west: -180, north: 90, east: 180 });
});
