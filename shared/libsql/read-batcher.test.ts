import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ReadBatcher } from "./read-batcher.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A database to which every request takes so long; what comes to it is written down. */
function database(ms: number) {
  const groups: number[][] = [];
  const send = async (names: number[]) => {
    groups.push(names);
    await new Promise((resolve) => setTimeout(resolve, ms));
    return names.map((name) => `found ${name}`);
  };
  return { groups, send };
}

function asker(lookUps: ReadBatcher<number, string>) {
  return (...names: number[]) => Promise.allSettled(names.map((name) => lookUps.read(name)));
}

test("LookUps sends four requests at once, each for itself", async () => {
  const { groups, send } = database(20);
  const all = asker(new ReadBatcher(TIME_LIMIT_MS, send))(0, 1, 2, 3);
  expect(groups).toEqual([[0], [1], [2], [3]]);
  await vi.advanceTimersByTimeAsync(20);
  expect((await all).map(outcome)).toEqual(["found 0", "found 1", "found 2", "found 3"]);
});

test("LookUps sends further requests together when one is answered, and gives each its own answer", async () => {
  const { groups, send } = database(3);
  const all = asker(new ReadBatcher(TIME_LIMIT_MS, send))(...numbers(50));
  await vi.advanceTimersByTimeAsync(10);
  expect((await all).map(outcome)).toEqual(numbers(50).map((name) => `found ${name}`));
  expect(groups.map(({ length }) => length)).toEqual([1, 1, 1, 1, 32, 14]);
});

test("LookUps sends waiting requests a moment later although those before them hang", async () => {
  let sent = 0;
  const groups: number[][] = [];
  const lookUps = new ReadBatcher<number, string>(TIME_LIMIT_MS, (names) => {
    groups.push(names);
    return sent++ < 4 ? new Promise(() => undefined) : Promise.resolve(names.map(String));
  });
  const ask = asker(lookUps);
  void ask(0, 1, 2, 3);
  const others = ask(4, 5);
  await vi.advanceTimersByTimeAsync(6);
  expect((await others).map(outcome)).toEqual(["4", "5"]);
  expect(groups).toEqual([[0], [1], [2], [3], [4, 5]]);
});

test("LookUps forgets requests without an answer in time, and sends four at once again", async () => {
  const groups: number[][] = [];
  const lookUps = new ReadBatcher<number, string>(TIME_LIMIT_MS, (names) => {
    groups.push(names);
    return new Promise(() => undefined);
  });
  void asker(lookUps)(0, 1, 2, 3);
  await vi.advanceTimersByTimeAsync(TIME_LIMIT_MS + 1);
  void asker(lookUps)(4, 5);
  expect(groups.slice(4)).toEqual([[4], [5]]);
});

test("LookUps fails a waiting request with 14 when the request that went with it is never answered", async () => {
  const lookUps = new ReadBatcher<number, string>(TIME_LIMIT_MS, () => new Promise(() => undefined));
  const all = asker(lookUps)(...numbers(6));
  const waiting = Promise.allSettled([lookUps.read(6), lookUps.read(7)]);
  await vi.advanceTimersByTimeAsync(TIME_LIMIT_MS + 10);
  for (const one of await waiting) expect(one).toMatchObject({ status: "rejected", reason: { code: 14 } });
  void all;
});

test("LookUps fails all requests that went together when their trip fails, and no others", async () => {
  let sent = 0;
  const lookUps = new ReadBatcher<number, string>(TIME_LIMIT_MS, async (names) => {
    await new Promise((resolve) => setTimeout(resolve, 3));
    if (++sent === 5) throw new Error("no");
    return names.map(String);
  });
  const all = asker(lookUps)(...numbers(8));
  await vi.advanceTimersByTimeAsync(10);
  expect((await all).map(({ status }) => status)).toEqual([
    ...Array(4).fill("fulfilled"),
    ...Array(4).fill("rejected"),
  ]);
  const next = lookUps.read(9);
  await vi.advanceTimersByTimeAsync(3);
  expect(await next).toBe("9");
});

test("LookUps ends the sending of one call after 100 rounds, and waiting requests go on without it", async () => {
  const { groups, send } = database(1);
  const lookUps = new ReadBatcher<number, string>(TIME_LIMIT_MS, send);
  let answered = 0;
  async function ask(name: number) {
    for (let time = 0; time < 150; time++) {
      await lookUps.read(name);
      answered++;
    }
  }
  for (const name of numbers(12)) void ask(name);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(answered).toBe(12 * 150);
  expect(Math.max(...groups.map(({ length }) => length))).toBeLessThanOrEqual(12);
});

function numbers(count: number) {
  return Array.from({ length: count }, (_, number) => number);
}

function outcome(result: PromiseSettledResult<string>) {
  return result.status === "fulfilled" ? result.value : String(result.reason);
}

const TIME_LIMIT_MS = 10_000;
