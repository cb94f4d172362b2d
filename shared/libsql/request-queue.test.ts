import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemNow } from "../time/clock.ts";
import { withinDeadline } from "./deadline.ts";
import { RequestQueue } from "./request-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Write = { size: number; name: number };

/** A database to which every request takes so long; what comes to it is written down. */
function database(ms: number) {
  const seen = { now: 0, most: 0, groups: [] as number[][] };
  const send = async (writes: Write[]) => {
    seen.most = Math.max(seen.most, ++seen.now);
    seen.groups.push(writes.map(({ name }) => name));
    await new Promise((resolve) => setTimeout(resolve, ms));
    seen.now--;
    return writes.map(({ name }) => `wrote ${name}`);
  };
  return { seen, send };
}

/** Asks for writes that are named by their numbers. */
function asker(queue: RequestQueue<Write, string>) {
  return (count: number, size = 1, longestMs = ENDLESS) =>
    Promise.allSettled(Array.from({ length: count }, (_, name) => queue.ask({ name, size }, systemNow() + longestMs)));
}

test.each([2, 16])(
  "RequestQueue sends no more than %i requests at a time, and gives each write its own answer",
  async (most) => {
    const { seen, send } = database(200);
    const all = asker(new RequestQueue({ kind: "strict", most, gapMs: 6 }, send))(100, LARGE_SIZE);
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await all).map(fulfilledValues)).toEqual(Array.from({ length: 100 }, (_, name) => `wrote ${name}`));
    expect(seen).toMatchObject({ now: 0, most });
  },
);

test("RequestQueue keeps the order of writes, and sends at most 32 waiting ones together", async () => {
  const { seen, send } = database(10);
  const all = asker(new RequestQueue({ kind: "strict", most: 1, gapMs: 6 }, send))(80);
  await vi.advanceTimersByTimeAsync(1000);
  await all;
  expect(seen.groups.map(({ length }) => length)).toEqual([1, 32, 32, 15]);
  expect(seen.groups.flat()).toEqual(Array.from({ length: 80 }, (_, name) => name));
});

test("RequestQueue delays a further request by a moment, so that writes that follow one answer go together", async () => {
  const { seen, send } = database(30);
  const queue = new RequestQueue({ kind: "strict", most: 3, gapMs: 6 }, send);
  const all = [queue.ask({ name: 0, size: 1 }, systemNow() + ENDLESS)];
  for (let name = 1; name < 5; name++) {
    await vi.advanceTimersByTimeAsync(1);
    all.push(queue.ask({ name, size: 1 }, systemNow() + ENDLESS));
  }
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all(all);
  expect(seen.groups).toEqual([[0], [1, 2, 3, 4]]);
});

test("RequestQueue sends a write alone that is too long to go with others", async () => {
  const { seen, send } = database(10);
  const ask = asker(new RequestQueue({ kind: "strict", most: 1, gapMs: 6 }, send));
  const all = Promise.all([ask(5, 100 * 1024), ask(2, 1024 * 1024), ask(1, Number.POSITIVE_INFINITY), ask(3)]);
  await vi.advanceTimersByTimeAsync(1000);
  await all;
  expect(seen.groups).toEqual([[0], [1, 2], [3, 4], [0], [1], [0], [0, 1, 2]]);
});

test("RequestQueue fails all writes of a failed request, and gives its place back", async () => {
  let sent = 0;
  const queue = new RequestQueue<Write, string>({ kind: "strict", most: 1, gapMs: 6 }, async (writes) => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (++sent === 2) throw new Error("no");
    return writes.map(() => "written");
  });
  const ask = asker(queue);
  const both = Promise.all([ask(8), vi.advanceTimersByTimeAsync(20)]);
  expect((await both)[0].map(({ status }) => status)).toEqual(["fulfilled", ...Array(7).fill("rejected")]);
  const next = ask(1);
  await vi.advanceTimersByTimeAsync(20);
  expect((await next).map(fulfilledValues)).toEqual(["written"]);
});

test("RequestQueue frees the places of requests that never end after six seconds", async () => {
  let sent = 0;
  const queue = new RequestQueue<Write, string>({ kind: "strict", most: 2, gapMs: 6 }, (writes) =>
    sent++ < 2 ? new Promise(() => undefined) : Promise.resolve(writes.map(() => "written")),
  );
  let answered = 0;
  for (let name = 0; name < 5; name++)
    void queue.ask({ name, size: LARGE_SIZE }, systemNow() + ENDLESS).then(() => answered++);
  await vi.advanceTimersByTimeAsync(5_900);
  expect(answered).toBe(0);
  await vi.advanceTimersByTimeAsync(500);
  expect(answered).toBe(3);
});

test("RequestQueue has another call take over when one has sent for others for five seconds", async () => {
  const { seen, send } = database(1010);
  const queue = new RequestQueue<Write, string>({ kind: "strict", most: 1, gapMs: 6 }, send);
  const all = asker(queue)(8, LARGE_SIZE);
  await vi.advanceTimersByTimeAsync(5_100);
  // The leading write has sent its last group.
  expect(seen).toMatchObject({ now: 0, groups: [[0], [1], [2], [3], [4]] });
  await vi.advanceTimersByTimeAsync(200);
  expect(seen.now).toBe(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await all).map(fulfilledValues)).toEqual(Array.from({ length: 8 }, (_, name) => `wrote ${name}`));
});

test("RequestQueue fails a write with 14 when its time is over, and never sends it later", async () => {
  const { seen, send } = database(4_700);
  const all = asker(new RequestQueue({ kind: "strict", most: 2, gapMs: 6 }, send))(20, LARGE_SIZE, 10_000);
  await vi.advanceTimersByTimeAsync(40_000);
  const refused = (await all).filter(({ status }) => status === "rejected");
  // Two at a time begin at 0, 4.7 and 9.5 seconds; the last two are rejected before they are done.
  expect(seen).toMatchObject({ most: 2, groups: [[0], [1], [2], [3], [4], [5]] });
  expect(refused).toHaveLength(16);
  for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toMatchObject({ code: 14 });
});

test("RequestQueue gives a request as long as the last of its writes has, and then frees its place at once", async () => {
  const allowed: number[] = [];
  const queue = new RequestQueue<Write, string>({ kind: "strict", most: 1, gapMs: 6 }, (_, longestMs) => {
    allowed.push(longestMs);
    return withinDeadline(longestMs, waitForAbort);
  });
  const ask = asker(queue);
  const all = Promise.all([ask(1, 1, 1_000), ask(1, 1, 2_000), ask(1, 1, 3_000)]);
  await vi.advanceTimersByTimeAsync(3_300);
  expect(allowed).toEqual([1_000, 2_000]);
  for (const [one] of await all) expect(one).toMatchObject({ status: "rejected", reason: { code: 14 } });
});

test("RequestQueue with a relaxed pace sends four at once, and joins those that wait for one of them", async () => {
  const { seen, send } = database(3);
  const all = asker(new RequestQueue({ kind: "relaxed", most: 4, gapMs: 6 }, send))(50);
  await vi.advanceTimersByTimeAsync(20);
  expect((await all).map(fulfilledValues)).toEqual(Array.from({ length: 50 }, (_, name) => `wrote ${name}`));
  expect(seen.groups.map(({ length }) => length)).toEqual([1, 1, 1, 1, 32, 14]);
});

test("RequestQueue with a relaxed pace sends further requests after a moment, also while the first are not answered", async () => {
  const { seen, send } = database(ENDLESS);
  void asker(new RequestQueue({ kind: "relaxed", most: 4, gapMs: 6 }, send))(10);
  await vi.advanceTimersByTimeAsync(7);
  expect(seen.groups.map(({ length }) => length)).toEqual([1, 1, 1, 1, 6]);
});

test("RequestQueue ends the sending of one call after 100 groups, and waiting requests go on without it", async () => {
  const { seen, send } = database(1);
  const queue = new RequestQueue<Write, string>({ kind: "relaxed", most: 4, gapMs: 6 }, send);
  let answered = 0;
  async function askOften(name: number) {
    for (let time = 0; time < 150; time++) {
      await queue.ask({ name, size: 1 }, systemNow() + ENDLESS);
      answered++;
    }
  }
  for (let name = 0; name < 12; name++) void askOften(name);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(answered).toBe(12 * 150);
  expect(Math.max(...seen.groups.map(({ length }) => length))).toBeLessThanOrEqual(12);
});

function fulfilledValues(result: PromiseSettledResult<string>) {
  return result.status === "fulfilled" ? result.value : String(result.reason);
}

/** A request that never answers and fails when it is aborted. */
function waitForAbort(over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => over.addEventListener("abort", () => reject(over.reason)));
}

const ENDLESS = 3_600_000;
/** Too long to go with others. */
const LARGE_SIZE = 1024 * 1024;
