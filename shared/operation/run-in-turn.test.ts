import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { runInTurn, type Turns } from "./run-in-turn.ts";

beforeEach(() => {
  vi.useFakeTimers();
  // The runtime's own classes: streams that pass bytes on.
  vi.stubGlobal("IdentityTransformStream", TransformStream);
  vi.stubGlobal("FixedLengthStream", TransformStream);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Turns that are granted to all, with the ids of those that are held. */
function grantedTurns() {
  const held = new Set<string>();
  const turns: Turns = {
    async acquire(id) {
      held.add(id);
      return true;
    },
    async release(id) {
      held.delete(id);
    },
  };
  return { held, turns };
}

const later = () => undefined;
const PATIENT = { timeout: 120_000 };

test("runInTurn releases the turn of a call after its answer, also after a failed one", async () => {
  const { held, turns } = grantedTurns();
  expect(await runInTurn(turns, async () => held.size, later)).toBe(1);
  await vi.waitUntil(() => held.size === 0, PATIENT);
  await expect(runInTurn(turns, () => Promise.reject(new Error("no font")), later)).rejects.toThrow("no font");
  await vi.waitUntil(() => held.size === 0, PATIENT);
});

test("runInTurn holds the turn of a streamed answer until it was read, or its reader has gone", async () => {
  const { held, turns } = grantedTurns();
  const stream = async () =>
    new Response(new Blob(["one ", "two"]).stream(), { headers: { "Content-Type": "text/x" } });
  const read = await runInTurn(turns, stream, later);
  const left = await runInTurn(turns, stream, later);
  expect([held.size, read.headers.get("Content-Type")]).toEqual([2, "text/x"]);
  expect(await read.text()).toBe("one two");
  await vi.waitUntil(() => held.size === 1, PATIENT);
  await left.body?.cancel();
  await vi.waitUntil(() => held.size === 0, PATIENT);
});

test("runInTurn answers 15 without running the call if no turn came in time", async () => {
  const run = vi.fn(async () => "answer");
  const refusing: Turns = { acquire: async () => false, release: async () => undefined };
  await expect(runInTurn(refusing, run, later)).rejects.toMatchObject({ code: 15 });
  const silent: Turns = { acquire: () => new Promise(() => undefined), release: async () => undefined };
  const refused = expect(runInTurn(silent, run, later)).rejects.toMatchObject({ code: 15 });
  await vi.advanceTimersByTimeAsync(12_000);
  await refused;
  expect([run.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
});

test("runInTurn runs a call without a turn if the object of the account cannot be reached", async () => {
  const broken: Turns = {
    acquire: () => Promise.reject(new Error("away")),
    release: () => Promise.reject(new Error("away")),
  };
  expect(await runInTurn(broken, async () => "answer", later)).toBe("answer");
});

test("runInTurn goes on after its caller has disconnected, so that it returns its turn", async () => {
  const { held, turns } = grantedTurns();
  const continued: Promise<unknown>[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  void runInTurn(
    turns,
    () => promise,
    (work) => continued.push(work),
  );
  await vi.waitUntil(() => held.size === 1, PATIENT);
  resolve("for nobody");
  await continued[0];
  expect(held.size).toBe(0);
});
