import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Gathering } from "./gathering.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Groups of a gathering, whose lines come so many milliseconds after their first; how long each has waited, and its lines. */
function groupsOf() {
  const gathering = new Gathering();
  return async (arrivals: number[]) => {
    const start = performance.now();
    let lines = 1;
    let waited = 0;
    gathering.grown(lines);
    const done = gathering.wait().then(() => {
      waited = performance.now() - start;
    });
    for (const after of arrivals) {
      await vi.advanceTimersByTimeAsync(after - (performance.now() - start));
      if (waited > 0) break;
      gathering.grown(++lines);
    }
    await vi.advanceTimersByTimeAsync(100);
    await done;
    gathering.ended(lines);
    return [Math.round(waited), lines];
  };
}

test("where lines go on coming, groups wait as long as one may", async () => {
  const group = groupsOf();
  expect(await group([10, 30, 60])).toEqual([80, 4]);
  expect(await group([1, 2, 3, 4, 5, 6])).toEqual([80, 7]);
  expect(await group([65])).toEqual([80, 2]);
});

test("where they came at once twice in a row, it was by chance that they seemed to go on coming", async () => {
  const group = groupsOf();
  expect(await group([10, 30, 60])).toEqual([80, 4]);
  expect(await group([1, 2, 3])).toEqual([80, 4]);
  expect(await group([1, 2, 3])).toEqual([80, 4]);
  expect(await group([1, 2, 3])).toEqual([3, 4]);
});

test("where all come at once, groups wait for as many, and hardly longer than these took", async () => {
  const group = groupsOf();
  expect(await group([1, 2, 10])).toEqual([80, 4]);
  expect(await group([1, 2, 3])).toEqual([3, 4]);
  expect(await group([5, 8, 15])).toEqual([15, 4]);
  expect(await group([5])).toEqual([20, 2]);
  // One less is waited for from then on.
  expect(await group([5, 6])).toEqual([6, 3]);
});

test("of many that come at once half are waited for, as the others come while these are stored", async () => {
  const group = groupsOf();
  expect(await group([1, 2, 3, 4, 5, 6, 7])).toEqual([80, 8]);
  expect(await group([1, 2, 3])).toEqual([3, 4]);
});

test("whoever is alone waits once in a while, and else not at all", async () => {
  const group = groupsOf();
  expect(await group([])).toEqual([80, 1]);
  for (let again = 0; again < 3; again++) expect(await group([])).toEqual([0, 1]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await group([])).toEqual([80, 1]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await group([5])).toEqual([80, 2]);
  expect(await group([5])).toEqual([5, 2]);
});

test("whoever is alone by chance lets the next one look, and where that is alone too nobody waits", async () => {
  const group = groupsOf();
  expect(await group([20, 40, 60])).toEqual([80, 4]);
  expect(await group([])).toEqual([80, 1]);
  expect(await group([20, 60])).toEqual([80, 3]);
  expect(await group([])).toEqual([80, 1]);
  expect(await group([])).toEqual([80, 1]);
  expect(await group([])).toEqual([0, 1]);
});

test("a group that has grown to its most is stored at once", async () => {
  const group = groupsOf();
  expect(await group(Array.from({ length: 63 }, () => 1))).toEqual([1, 64]);
});
