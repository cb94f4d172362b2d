import { expect, test } from "vitest";
import { chanceOf } from "../../../../test/tool/chance.ts";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { encodePoints } from "../point/codec.ts";
import { mergePoints, type Point } from "../point/point.ts";
import { PointBatch } from "../point/point-batch.ts";
import { PackedPoints, type PackedPrefix } from "./packed-points.ts";

test("PackedPoints equals a plain list after any appends, insertions, removals and reads", () => {
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const chance = chanceOf(seed);
    const packed = new PackedPoints();
    let list: Point[] = [];
    let second = 0;
    const next = () => {
      second += 2;
      return pointAt(second);
    };
    let prefix: { packed: PackedPrefix; points: Point[] } | null = null;
    for (let step = 0; step < 120; step++) {
      const choice = chance();
      if (choice < 0.55) {
        const count = chance() < 0.5 ? 1 + Math.floor(chance() * 20) : 16 + Math.floor(chance() * 100);
        const points = Array.from({ length: count }, next);
        packed.push(chance() < 0.9 ? PointBatch.read(encodePoints(points, "raw")) : PointBatch.of(points));
        list = [...list, ...points];
      } else if (choice < 0.65) {
        const late = pointAt(2 * Math.floor((chance() * second) / 2) - 1);
        packed.insert([late]);
        list = mergePoints(list, [late]);
      } else if (choice < 0.75 && !prefix) {
        prefix = { packed: packed.prefix(), points: list };
      } else if (choice < 0.85 && prefix) {
        const { points } = prefix;
        expect(read(prefix.packed)).toEqual(points);
        packed.drop(prefix.packed);
        list = list.filter((point) => !points.some(({ time }) => time === point.time));
        prefix = null;
      } else if (choice < 0.95) {
        const { time } = pointAt(Math.floor(chance() * (second + 10)));
        expect(packed.lastBefore(time)).toEqual(list.findLast((point) => point.time < time) ?? null);
      } else {
        expect(packed.all).toEqual(list);
      }
      expect([packed.length, packed.last]).toEqual([list.length, list.at(-1) ?? null]);
    }
    expect(read(packed.prefix())).toEqual(list);
    expect(packed.all).toEqual(list);
  }
});

test("PackedPoints keeps the list that was read, and extends it with appended points", () => {
  const packed = new PackedPoints();
  const batch = (from: number) => Array.from({ length: 20 }, (_, index) => pointAt(from + index));
  packed.push(PointBatch.read(encodePoints(batch(0), "raw")));
  const { all } = packed;
  packed.push(PointBatch.of([pointAt(30)]));
  packed.push(PointBatch.read(encodePoints(batch(40), "raw")));
  expect(packed.all).toBe(all);
  expect(all).toHaveLength(41);
  packed.insert([pointAt(35)]);
  expect(packed.all).not.toBe(all);
});

/** Reads a prefix in pieces of one length, as a flush does. */
function read(prefix: PackedPrefix): Point[] {
  const points: Point[] = [];
  while (points.length < prefix.count) points.push(...prefix.readBatches(points.length, 37));
  return points;
}
