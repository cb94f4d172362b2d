import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type DocumentLeases, LeaseQueue, runWithLease } from "./lease.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("runWithLease makes two documents of an account at a time and the others in order, also after one that failed", async () => {
  const leases = newLeases();
  const begun: number[] = [];
  const ends: ((thrown?: Error) => void)[] = [];
  const make = (index: number) =>
    runWithLease(leases, 1, () => {
      begun.push(index);
      return new Promise<number>((resolve, reject) => {
        ends[index] = (thrown) => (thrown ? reject(thrown) : resolve(index));
      });
    });
  const all = Array.from({ length: 5 }, (_, index) => make(index));
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([0, 1]);
  expect(await runWithLease(leases, 2, async () => "another account's")).toBe("another account's");
  ends[1]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([0, 1, 2]);
  const failed = expect(all[0]).rejects.toThrow("no font");
  ends[0]?.(new Error("no font"));
  await failed;
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[2]?.();
  ends[3]?.();
  await vi.advanceTimersByTimeAsync(0);
  ends[4]?.();
  expect(await Promise.all(all.slice(1))).toEqual([1, 2, 3, 4]);
});

test("LeaseQueue lets a call wait ten seconds, and not more than twenty calls", async () => {
  const queue = new LeaseQueue();
  await Promise.all([queue.acquire(), queue.acquire()]);
  const waiting = Array.from({ length: 20 }, () => queue.acquire());
  expect(await queue.acquire()).toBeNull();
  let ended = false;
  void Promise.all(waiting).then(() => {
    ended = true;
  });
  await vi.advanceTimersByTimeAsync(9_999);
  expect(ended).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await Promise.all(waiting)).toEqual(Array(20).fill(null));
  expect(vi.getTimerCount()).toBe(0);
});

test("LeaseQueue grants a lease again thirty seconds after one that was not released", async () => {
  const queue = new LeaseQueue();
  const [lost] = await Promise.all([queue.acquire(), queue.acquire()]);
  await vi.advanceTimersByTimeAsync(25_000);
  const next = queue.acquire();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await next).toMatchObject({ id: expect.any(String) });
  // A late release of a lease that has ended takes nothing from its successor.
  if (lost) await queue.release(lost);
  const further = queue.acquire();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await further).toMatchObject({ id: expect.any(String) });
});

function newLeases() {
  const queues = new Map<string, DocumentLeases>();
  return {
    getByName(name: string): DocumentLeases {
      const queue = queues.get(name) ?? new LeaseQueue();
      queues.set(name, queue);
      return queue;
    },
  };
}
