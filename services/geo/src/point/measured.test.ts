import { expect, test } from "vitest";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { recordedTrack } from "../../../../test/tool/point/recorded.ts";
import { measurePoints } from "./measured.ts";

/** About 111 m to the north. */
const STEP = 0.001;

test("measurePoints takes an absent speed as the distance to the point before over the time", () => {
  const { meters, speedsKmh } = measurePoints([pointAt(0), pointAt(10, { lat: 50 + STEP })], null);
  expect(meters[1]).toBeCloseTo(111.2, 0);
  expect(speedsKmh[1]).toBeCloseTo(40, 0);
  expect(speedsKmh[0]).toBe(0);
});

test("measurePoints counts a step above 300 km/h for neither length nor speed", () => {
  const points = [
    pointAt(0),
    pointAt(10, { lat: 50 + STEP }),
    pointAt(11, { lat: 51 }),
    pointAt(12, { lat: 51 + STEP / 10 }),
  ];
  const { meters, speedsKmh } = measurePoints(points, null);
  expect(meters[2]).toBe(0);
  expect(speedsKmh[2]).toBe(speedsKmh[1]);
  expect(speedsKmh[3]).toBeCloseTo(40, 0);
});

test("measurePoints takes a reported speed above 300 km/h as not reported", () => {
  const { speedsKmh } = measurePoints([pointAt(0), pointAt(10, { lat: 50 + STEP, speed: 301 })], null);
  expect(speedsKmh[1]).toBeCloseTo(40, 0);
});

test("measurePoints takes no speed from the distance of two places at one time", () => {
  const { meters, speedsKmh } = measurePoints([pointAt(0, { speed: 30 }), pointAt(0, { lat: 50 + STEP })], null);
  expect([meters[1], speedsKmh[1]]).toEqual([0, 30]);
});

test("measurePoints leaves length and greatest speed of a real drive unspoilt by its one jump", () => {
  const { meters, speedsKmh } = measurePoints(recordedTrack("car-drive-every-second.json"), null);
  const length = meters.reduce((sum, step) => sum + step, 0);
  expect(length).toBeGreaterThan(13_000);
  expect(length).toBeLessThan(13_300);
  expect(Math.max(...speedsKmh)).toBeLessThan(140);
});
