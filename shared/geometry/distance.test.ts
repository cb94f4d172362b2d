import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { metersBetween } from "./distance.ts";

type Case = { lat1: number; lng1: number; lat2: number; lng2: number; meters: number };
const exact = JSON.parse(readFileSync("test/fixtures/geometry/geodesic-cases.json", "utf8")) as { cases: Case[] };

test.each(exact.cases)(
  "metersBetween is within 0.1 % of the exact distance of $meters m",
  ({ lat1, lng1, lat2, lng2, meters }) => {
    expect(Math.abs(metersBetween({ lat: lat1, lng: lng1 }, { lat: lat2, lng: lng2 }) / meters - 1)).toBeLessThan(
      0.001,
    );
    expect(metersBetween({ lat: lat2, lng: lng2 }, { lat: lat1, lng: lng1 })).toBeCloseTo(
      metersBetween({ lat: lat1, lng: lng1 }, { lat: lat2, lng: lng2 }),
      6,
    );
  },
);

// Exact values by the algorithm that also gave the cases above.
test.each([
  [0, 0, 0, 0, 0],
  [48.16350662940509, 11.564388282625075, 48.163576943840035, 11.564254859464446, 12.63],
  [0, 0, 0, 1, 111_319.4908],
  [0, 0, 1, 0, 110_574.3886],
  [89.999, 0, 89.999, 180, 223.388],
  [89.99, 10, 90, 0, 1_116.939],
  [-33.5, 179.9995, -33.5, -179.9995, 92.89],
  [0, 0, 0, 179.5, 19_980_862.0],
  [0, 0, 0, 180, 20_003_931.4586],
  [90, 0, -90, 0, 20_003_931.4586],
  [30, 0, -30, 180, 20_003_931.4586],
])(
  "metersBetween is within 0.1 % for short, polar, antipodal ways and over the date line: from %f %f to %f %f",
  (lat1, lng1, lat2, lng2, meters) => {
    const found = metersBetween({ lat: lat1, lng: lng1 }, { lat: lat2, lng: lng2 });
    expect(Math.abs(found - meters)).toBeLessThanOrEqual(meters * 0.001);
  },
);

// Distances over which a sphere of the mean radius is wrong by up to a kilometer, as zones and steps of tracks have them.
test.each([
  [50, 8, 50.0899, 8.125, 13_422.312],
  [65, 25, 65.17, 25.19, 20_954.317],
  [80, -40, 80.15, -39.2, 22_752.196],
  [60, 8, 60.6, 9.2, 94_186.752],
  [70, 20, 70.5, 22.2, 99_997.118],
  [-45, 170, -46.2, 172.9, 262_615.631],
  [0, 179, 1.5, -179, 277_609.439],
  [52, 13, 54.6, 14, 296_931.948],
])("metersBetween is exact to half a meter up to 300 km: from %f %f to %f %f", (lat1, lng1, lat2, lng2, meters) => {
  expect(Math.abs(metersBetween({ lat: lat1, lng: lng1 }, { lat: lat2, lng: lng2 }) - meters)).toBeLessThan(0.5);
});

test("metersBetween agrees within 0.01 % where its two formulas meet", () => {
  const flat = metersBetween({ lat: 51, lng: 9 }, { lat: 51.1, lng: 9.199999 });
  const curved = metersBetween({ lat: 51, lng: 9 }, { lat: 51.1, lng: 9.200001 });
  expect(Math.abs(flat / curved - 1)).toBeLessThan(0.0001);
});
