import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WriteTurns } from "./write-turns.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A write that takes so long; how many are under way is counted. */
function writers() {
  const seen = { now: 0, most: 0, done: 0 };
  const write = async (ms: number) => {
    seen.most = Math.max(seen.most, ++seen.now);
    await new Promise((resolve) => setTimeout(resolve, ms));
    seen.now--;
    seen.done++;
  };
  return { seen, write };
}

test("many write, two at a time, and all come to it", async () => {
  const turns = new WriteTurns(2);
  const { seen, write } = writers();
  const all = Promise.all(Array.from({ length: 50 }, () => turns.take(() => write(10))));
  await vi.advanceTimersByTimeAsync(1000);
  await all;
  expect(seen).toEqual({ now: 0, most: 2, done: 50 });
});

test("as many write at a time as the setting says", async () => {
  const turns = new WriteTurns(16);
  const { seen, write } = writers();
  const all = Promise.all(Array.from({ length: 50 }, () => turns.take(() => write(10))));
  await vi.advanceTimersByTimeAsync(1000);
  await all;
  expect(seen).toEqual({ now: 0, most: 16, done: 50 });
});

test("a write that fails gives its place back, and its failure to its caller", async () => {
  const turns = new WriteTurns(2);
  const { seen, write } = writers();
  const failed = Promise.allSettled(Array.from({ length: 8 }, () => turns.take(() => Promise.reject(new Error("no")))));
  await vi.advanceTimersByTimeAsync(20);
  expect((await failed).every(({ status }) => status === "rejected")).toBe(true);
  const next = turns.take(() => write(10));
  await vi.advanceTimersByTimeAsync(20);
  await next;
  expect(seen.done).toBe(1);
});

test("writers that were aborted hold up the others for six seconds, not for good", async () => {
  const turns = new WriteTurns(2);
  const { seen, write } = writers();
  for (let count = 0; count < 2; count++) void turns.take(() => new Promise(() => undefined));
  const next = turns.take(() => write(10));
  await vi.advanceTimersByTimeAsync(5_900);
  expect(seen.done).toBe(0);
  await vi.advanceTimersByTimeAsync(200);
  await next;
  expect(seen.done).toBe(1);
});

test("who waits for twenty seconds in vain is told that the database is busy", async () => {
  const turns = new WriteTurns(2);
  const { seen, write } = writers();
  const all = Promise.allSettled(Array.from({ length: 20 }, () => turns.take(() => write(5900))));
  await vi.advanceTimersByTimeAsync(40_000);
  const refused = (await all).filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(20 - seen.done);
  expect(seen).toMatchObject({ most: 2, done: 8 });
  for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toMatchObject({ code: 14 });
});

test("what the database had no time for is tried again, three times in all", async () => {
  const turns = new WriteTurns(2);
  const tries = [0, 0];
  const busy = (index: number, times: number) => async () => {
    tries[index] = (tries[index] ?? 0) + 1;
    if ((tries[index] ?? 0) <= times) throw new Error("SQLITE_BUSY: database is locked");
    return "written";
  };
  expect(await turns.take(busy(0, 2))).toBe("written");
  await expect(turns.take(busy(1, 3))).rejects.toThrow("locked");
  expect(tries).toEqual([3, 3]);
});
