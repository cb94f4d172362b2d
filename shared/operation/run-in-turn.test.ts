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

const PATIENT = { timeout: 120_000 };

/** Turns that are granted to all, and how many are held. */
function grantedTurns() {
  let held = 0;
  const turns: Turns = {
    async acquire() {
      held++;
      return { [Symbol.dispose]: () => void held-- };
    },
  };
  return { turns, held: () => held };
}

test("runInTurn returns the turn of a call after its answer, also after a failed one", async () => {
  const { held, turns } = grantedTurns();
  expect(await runInTurn(turns, async () => held())).toBe(1);
  expect(held()).toBe(0);
  await expect(runInTurn(turns, () => Promise.reject(new Error("no font")))).rejects.toThrow("no font");
  expect(held()).toBe(0);
});

test("runInTurn holds the turn of a streamed answer until it was read, or its reader has gone", async () => {
  const { held, turns } = grantedTurns();
  const stream = async () =>
    new Response(new Blob(["one ", "two"]).stream(), { headers: { "Content-Type": "text/x" } });
  const read = await runInTurn(turns, stream);
  const left = await runInTurn(turns, stream);
  expect([held(), read.headers.get("Content-Type")]).toEqual([2, "text/x"]);
  expect(await read.text()).toBe("one two");
  await vi.waitUntil(() => held() === 1, PATIENT);
  await left.body?.cancel();
  await vi.waitUntil(() => held() === 0, PATIENT);
});

test("runInTurn answers 15 without running the call if no turn came in time", async () => {
  const run = vi.fn(async () => "answer");
  await expect(runInTurn({ acquire: async () => null }, run)).rejects.toMatchObject({ code: 15 });
  const silent: Turns = { acquire: () => new Promise(() => undefined) };
  const refused = expect(runInTurn(silent, run)).rejects.toMatchObject({ code: 15 });
  await vi.advanceTimersByTimeAsync(12_000);
  await refused;
  expect([run.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
});

test("runInTurn runs a call without a turn if the object of the account cannot be reached", async () => {
  const broken: Turns = { acquire: () => Promise.reject(new Error("away")) };
  expect(await runInTurn(broken, async () => "answer")).toBe("answer");
});
