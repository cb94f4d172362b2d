import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GeoEnv } from "../env.ts";
import type { TrackerCondition } from "../object/feed.ts";
import { unknownState } from "../object/feed-state.ts";
import { Listeners } from "./listeners.ts";

const CONDITION: TrackerCondition = { ...unknownState(), movement: null, last_moved: null };
const START = Date.UTC(2026, 0, 1);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("Listeners without a relay call nobody and do not read the tracker's state", async () => {
  const { listeners, calls, settled } = newListeners();
  let looks = 0;
  listeners.reportChange(1, () => {
    looks++;
    return CONDITION;
  });
  listeners.reportLifecycle(1, "block", CONDITION);
  await settled();
  expect([calls, looks]).toEqual([[], 0]);
});

test("Listeners call a relay until it answers that it does not listen", async () => {
  const { listeners, calls, settled, kept } = newListeners("gone");
  listeners.add("here", START + 60_000);
  listeners.add("gone", START + 60_000);
  listeners.reportChange(1, () => CONDITION);
  await settled();
  expect(calls.toSorted()).toEqual(["gone", "here"]);
  listeners.reportLifecycle(1, "block", CONDITION);
  await settled();
  expect(calls.slice(2)).toEqual(["here"]);
  expect(Object.keys(kept.get("listeners") ?? {})).toEqual(["here"]);
});

test("Listeners forget a relay whose time is over without a call, in storage too", async () => {
  const { listeners, calls, settled, kept } = newListeners();
  listeners.add("late", START - 1);
  listeners.reportChange(1, () => CONDITION);
  await settled();
  expect([calls, kept.size]).toEqual([[], 0]);
});

test("Listeners deliver changes once a second at most, and then the newest state", async () => {
  const { listeners, calls, settled, pass } = newListeners();
  let reads = 0;
  const read = () => {
    reads++;
    return CONDITION;
  };
  listeners.add("here", START + 60_000);
  listeners.reportChange(1, read);
  await settled();
  listeners.reportChange(1, read);
  await pass(999);
  listeners.reportChange(1, read);
  expect([calls.length, reads]).toEqual([1, 1]);
  await pass(1);
  expect([calls.length, reads]).toEqual([2, 2]);
});

/** Listeners with a clock that stands at START, and relays of which one answers that it does not listen. */
function newListeners(gone = "") {
  let now = START;
  const calls: string[] = [];
  const kept = new Map<string, Record<string, number>>();
  const waited: Promise<unknown>[] = [];
  const relay = (name: string) => {
    const receive = async () => {
      calls.push(name);
      return name !== gone;
    };
    return { receiveState: receive, receiveLifecycle: receive };
  };
  const kv = {
    get: (key: string) => kept.get(key),
    put: (key: string, value: Record<string, number>) => kept.set(key, value),
    delete: (key: string) => kept.delete(key),
  };
  // The members of the object's state and environment that `Listeners` uses.
  const ctx = { storage: { kv }, waitUntil: (work: Promise<unknown>) => waited.push(work) };
  const env = { RELAYS: { getByName: relay } };
  const listeners = new Listeners(ctx as unknown as DurableObjectState, env as unknown as GeoEnv, () => now);
  return {
    listeners,
    calls,
    kept,
    async settled() {
      await vi.advanceTimersByTimeAsync(0);
      await Promise.all(waited);
    },
    async pass(ms: number) {
      now += ms;
      await vi.advanceTimersByTimeAsync(ms);
    },
  };
}
