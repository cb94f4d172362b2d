import { expect, test } from "vitest";
import { LineIndex } from "./line-index.ts";

test("LineIndex reports a row as empty with the removal of its last line, of whichever tracker", () => {
  const kept = new LineIndex();
  for (const [tracker_id, number, row] of [
    [1, 10, 1],
    [1, 11, 2],
    [2, 10, 1],
    [2, 12, 2],
  ] as const) {
    kept.add(tracker_id, number, row);
  }
  expect([kept.count, kept.lowestNumber(), [...kept.rowsOf(1)]]).toEqual([
    4,
    10,
    [
      [10, 1],
      [11, 2],
    ],
  ]);
  expect(kept.linesBelow(11)).toEqual([
    [1, [10]],
    [2, [10]],
  ]);
  expect(kept.remove(1, [10, 11])).toEqual([]);
  // Repeated removals and unknown lines change nothing.
  expect(kept.remove(1, [10, 11])).toEqual([]);
  expect(kept.remove(2, [10, 99])).toEqual([1]);
  expect(kept.remove(2, [12])).toEqual([2]);
  expect([kept.count, kept.lowestNumber(), kept.linesBelow(99)]).toEqual([0, Number.POSITIVE_INFINITY, []]);
});
