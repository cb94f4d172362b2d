import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TurnQueue } from "./turn-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Asks for a turn for each id; the ids are added to `granted` in the order in which they get one. */
function askFor(queue: TurnQueue, ids: string[], granted: string[]) {
  return ids.map((id) =>
    queue.acquire(id).then((isGranted) => {
      if (isGranted) granted.push(id);
      return isGranted;
    }),
  );
}

test("TurnQueue grants two turns at a time, the others in order of arrival", async () => {
  const queue = new TurnQueue();
  const granted: string[] = [];
  const all = askFor(queue, ["a", "b", "c", "d", "e"], granted);
  await vi.advanceTimersByTimeAsync(0);
  expect(granted).toEqual(["a", "b"]);
  queue.release("b");
  await vi.advanceTimersByTimeAsync(0);
  expect(granted).toEqual(["a", "b", "c"]);
  queue.release("a");
  queue.release("c");
  expect(await Promise.all(all)).toEqual(Array(5).fill(true));
  expect(granted).toEqual(["a", "b", "c", "d", "e"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("TurnQueue lets a call wait ten seconds, and not more than a hundred calls", async () => {
  const queue = new TurnQueue();
  const granted: string[] = [];
  await Promise.all(askFor(queue, ["a", "b"], granted));
  const ids = Array.from({ length: 100 }, (_, index) => String(index));
  const waiting = askFor(queue, ids, granted);
  expect(await queue.acquire("one too many")).toBe(false);
  let isOver = false;
  const all = Promise.all(waiting).finally(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(9_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await all).toEqual(Array(100).fill(false));
  expect(vi.getTimerCount()).toBe(0);
  queue.release("a");
  expect(await queue.acquire("c")).toBe(true);
  expect(granted).toEqual(["a", "b"]);
});

test("TurnQueue grants a turn again thirty seconds after one that was not released", async () => {
  const queue = new TurnQueue();
  await Promise.all([queue.acquire("lost"), queue.acquire("lost, too")]);
  await vi.advanceTimersByTimeAsync(25_000);
  const next = queue.acquire("next");
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await next).toBe(true);
  expect(await queue.acquire("another")).toBe(true);
  // A late release of a turn that has ended takes nothing from its successor.
  queue.release("lost");
  const further = queue.acquire("further");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await further).toBe(false);
});
