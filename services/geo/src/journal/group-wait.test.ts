import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { GroupWait } from "./group-wait.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/**
 * Makes groups with one GroupWait: each number is a line's delay in milliseconds after the group's first. Answers how
 * long the group waited, by the fake clock, and its number of lines.
 */
function groupsOf() {
  const gathering = new GroupWait();
  return async (arrivals: number[]) => {
    const start = systemNow();
    let lines = 1;
    let waited = 0;
    gathering.noteSize(lines);
    const done = gathering.wait().then(() => {
      waited = systemNow() - start;
    });
    for (const after of arrivals) {
      await vi.advanceTimersByTimeAsync(after - (systemNow() - start));
      if (waited > 0) break;
      gathering.noteSize(++lines);
    }
    await vi.advanceTimersByTimeAsync(100);
    await done;
    gathering.noteStored(lines);
    return [Math.round(waited), lines];
  };
}

test("GroupWait waits its full time for each group while lines go on coming", async () => {
  const group = groupsOf();
  expect(await group([10, 30, 60])).toEqual([80, 4]);
  expect(await group([1, 2, 3, 4, 5, 6])).toEqual([80, 7]);
  expect(await group([65])).toEqual([80, 2]);
});

test("GroupWait stops waiting its full time once two groups in a row came at once", async () => {
  const group = groupsOf();
  expect(await group([10, 30, 60])).toEqual([80, 4]);
  expect(await group([1, 2, 3])).toEqual([80, 4]);
  expect(await group([1, 2, 3])).toEqual([80, 4]);
  expect(await group([1, 2, 3])).toEqual([3, 4]);
});

test("GroupWait waits for as many lines as came at once before, and hardly longer than they took", async () => {
  const group = groupsOf();
  expect(await group([1, 2, 10])).toEqual([80, 4]);
  expect(await group([1, 2, 3])).toEqual([3, 4]);
  expect(await group([5, 8, 15])).toEqual([15, 4]);
  expect(await group([5])).toEqual([20, 2]);
  // The next groups wait for one line less.
  expect(await group([5, 6])).toEqual([6, 3]);
});

test("GroupWait waits for half of many lines that come at once: the others come while these are stored", async () => {
  const group = groupsOf();
  expect(await group([1, 2, 3, 4, 5, 6, 7])).toEqual([80, 8]);
  expect(await group([1, 2, 3])).toEqual([3, 4]);
});

test("GroupWait has a sender that is alone wait once in five seconds, and else not at all", async () => {
  const group = groupsOf();
  expect(await group([])).toEqual([80, 1]);
  for (let again = 0; again < 3; again++) expect(await group([])).toEqual([0, 1]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await group([])).toEqual([80, 1]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await group([5])).toEqual([80, 2]);
  expect(await group([5])).toEqual([5, 2]);
});

test("GroupWait tries its full time once more after a group of one line, and stops when that is alone too", async () => {
  const group = groupsOf();
  expect(await group([20, 40, 60])).toEqual([80, 4]);
  expect(await group([])).toEqual([80, 1]);
  expect(await group([20, 60])).toEqual([80, 3]);
  expect(await group([])).toEqual([80, 1]);
  expect(await group([])).toEqual([80, 1]);
  expect(await group([])).toEqual([0, 1]);
});

test("GroupWait ends its wait as soon as a group has 64 lines", async () => {
  const group = groupsOf();
  expect(await group(Array.from({ length: 63 }, () => 1))).toEqual([1, 64]);
});
