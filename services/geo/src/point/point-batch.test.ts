import { expect, test } from "vitest";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { encodePoints } from "./codec.ts";
import type { Point } from "./point.ts";
import { PointBatch } from "./point-batch.ts";

const PLAIN = Array.from({ length: 20 }, (_, index) => pointAt(index * 10, { speed: 40 + index }));

test("a point batch is plain when its points are of satellites, in order of time, end with a speed and have nothing else", () => {
  const isPlain = (index: number, change: Partial<Point>) =>
    sentAs(PLAIN.map((point, place) => (place === index ? { ...point, ...change } : point))).isPlain;
  expect(isPlain(0, {})).toBe(true);
  expect(isPlain(3, { speed: null, buffered: true, precision: 7 })).toBe(true);
  expect(isPlain(3, { gsm_lbs: true })).toBe(false);
  expect(isPlain(3, { inputs: 0 })).toBe(false);
  expect(isPlain(3, { attributes: { motion: false } })).toBe(false);
  expect(isPlain(3, { time: PLAIN[2]?.time ?? 0, lat: 89 })).toBe(false);
  expect(isPlain(19, { speed: null })).toBe(false);
  // A speed above the limit counts as not reported.
  expect(isPlain(19, { speed: 301 })).toBe(false);
  // No more points than a batch keeps decoded.
  expect(sentAs(PLAIN.slice(0, 13)).isPlain).toBe(true);
  expect(sentAs(PLAIN.slice(0, 12)).isPlain).toBe(false);
});

test("a point batch is equal whether it is read from its bytes or made of a list", () => {
  for (const points of [PLAIN, PLAIN.slice(0, 5), PLAIN.map((point) => ({ ...point, inputs: 1 })), []]) {
    const [sent, listed] = [sentAs(points), PointBatch.of(points)];
    expect([sent.count, sent.first, sent.last]).toEqual([points.length, points[0] ?? null, points.at(-1) ?? null]);
    expect([listed.count, listed.first, listed.last]).toEqual([sent.count, sent.first, sent.last]);
    for (const second of [-1, 0, 1, 95, 190, 191]) {
      const { time } = pointAt(second);
      const expected = points.find((point) => point.time >= time) ?? null;
      expect([sentAs(points).firstSince(time), listed.firstSince(time)]).toEqual([expected, expected]);
    }
    expect(sent.points).toEqual(points);
  }
});

function sentAs(points: Point[]) {
  return PointBatch.read(encodePoints(points, "raw"));
}
