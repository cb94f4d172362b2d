import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withinDeadline } from "./deadline.ts";
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
  const all = Promise.all(Array.from({ length: 50 }, () => turns.take(() => write(10), ENDLESS)));
  await vi.advanceTimersByTimeAsync(1000);
  await all;
  expect(seen).toEqual({ now: 0, most: 2, done: 50 });
});

test("as many write at a time as the setting says", async () => {
  const turns = new WriteTurns(16);
  const { seen, write } = writers();
  const all = Promise.all(Array.from({ length: 50 }, () => turns.take(() => write(10), ENDLESS)));
  await vi.advanceTimersByTimeAsync(1000);
  await all;
  expect(seen).toEqual({ now: 0, most: 16, done: 50 });
});

test("whoever came first writes first, and whoever was aborted in the line keeps nobody for long", async () => {
  const turns = new WriteTurns(1);
  const { write } = writers();
  const begun: number[] = [];
  const take = (index: number) =>
    turns.take(() => {
      begun.push(index);
      return write(10);
    }, ENDLESS);
  const line = Array.from({ length: 20 }, (_, index) => index);
  const all = Promise.all(line.map((index) => take(index)));
  await vi.advanceTimersByTimeAsync(1000);
  await all;
  expect(begun).toEqual(line);

  const gone = new AbortController();
  const held = turns.take(() => write(100), ENDLESS);
  const leaves = turns.take(() => write(10), gone.signal).catch(() => undefined);
  const next = turns.take(() => write(10), ENDLESS);
  gone.abort();
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all([held, leaves, next]);
});

test("a write that fails gives its place back, and its failure to its caller", async () => {
  const turns = new WriteTurns(2);
  const { seen, write } = writers();
  const failed = Promise.allSettled(
    Array.from({ length: 8 }, () => turns.take(() => Promise.reject(new Error("no")), ENDLESS)),
  );
  await vi.advanceTimersByTimeAsync(20);
  expect((await failed).every(({ status }) => status === "rejected")).toBe(true);
  const next = turns.take(() => write(10), ENDLESS);
  await vi.advanceTimersByTimeAsync(20);
  await next;
  expect(seen.done).toBe(1);
});

test("writers that were aborted hold up the others for six seconds, not for good", async () => {
  const turns = new WriteTurns(2);
  const { seen, write } = writers();
  for (let count = 0; count < 2; count++) void turns.take(() => new Promise(() => undefined), ENDLESS);
  const next = turns.take(() => write(10), ENDLESS);
  await vi.advanceTimersByTimeAsync(5_900);
  expect(seen.done).toBe(0);
  await vi.advanceTimersByTimeAsync(200);
  await next;
  expect(seen.done).toBe(1);
});

test("who waits in vain until its time is over is told that the database is busy, and writes nothing later", async () => {
  const turns = new WriteTurns(2);
  const { seen, write } = writers();
  const take = () => withinDeadline(10_000, (over) => turns.take(() => write(4900), over));
  const all = Promise.allSettled(Array.from({ length: 20 }, take));
  await vi.advanceTimersByTimeAsync(40_000);
  const refused = (await all).filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(20 - seen.done);
  // Two at a time, begun at 0, 4.9 and 9.8 seconds.
  expect(seen).toMatchObject({ most: 2, done: 6 });
  for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toMatchObject({ code: 14 });
});

test("a write whose time is over gives its place back at once", async () => {
  const turns = new WriteTurns(1);
  const { seen, write } = writers();
  const hung = withinDeadline(1_000, (over) => turns.take(() => aborted(over), over));
  const next = turns.take(() => write(10), ENDLESS);
  await Promise.all([expect(hung).rejects.toMatchObject({ code: 14 }), vi.advanceTimersByTimeAsync(1_100)]);
  await next;
  expect(seen.done).toBe(1);
});

test("what the database had no time for is tried again, three times in all", async () => {
  const turns = new WriteTurns(2);
  const tries = [0, 0];
  const busy = (index: number, times: number) => async () => {
    tries[index] = (tries[index] ?? 0) + 1;
    if ((tries[index] ?? 0) <= times) throw new Error("SQLITE_BUSY: database is locked");
    return "written";
  };
  expect(await turns.take(busy(0, 2), ENDLESS)).toBe("written");
  await expect(turns.take(busy(1, 3), ENDLESS)).rejects.toThrow("locked");
  expect(tries).toEqual([3, 3]);
});

/** What never answers, and fails when it is aborted. */
function aborted(over: AbortSignal) {
  return new Promise((_, reject) => over.addEventListener("abort", () => reject(over.reason)));
}

const ENDLESS = new AbortController().signal;
