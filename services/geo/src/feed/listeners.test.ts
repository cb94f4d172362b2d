import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import type { GeoEnv } from "../env.ts";
import type { TrackerCondition } from "./feed.ts";
import { Listeners } from "./listeners.ts";
import { unknownState } from "./state.ts";

const CONDITION: TrackerCondition = { ...unknownState(), movement: null, last_moved: null };

test("a feed calls nobody when nobody listens, and does not even look up its state", async () => {
  const { listeners, calls, settled } = newListeners();
  let looks = 0;
  listeners.changed(1, () => {
    looks++;
    return CONDITION;
  });
  listeners.becameOf(1, "block", CONDITION);
  await settled();
  expect([calls, looks]).toEqual([[], 0]);
});

test("who listens is told, and told no more once it says that it does not want to hear", async () => {
  const { listeners, calls, settled, kept } = newListeners("gone");
  listeners.add("here", systemNow() + 60_000);
  listeners.add("gone", systemNow() + 60_000);
  listeners.changed(1, () => CONDITION);
  await settled();
  expect(calls.toSorted()).toEqual(["gone", "here"]);
  listeners.becameOf(1, "block", CONDITION);
  await settled();
  expect(calls.slice(2)).toEqual(["here"]);
  expect(Object.keys(kept.get("listeners") ?? {})).toEqual(["here"]);
});

test("who has not asked anew in time is forgotten without a call, also in storage", async () => {
  const { listeners, calls, settled, kept } = newListeners();
  listeners.add("late", systemNow() - 1);
  listeners.changed(1, () => CONDITION);
  await settled();
  expect([calls, kept.size]).toEqual([[], 0]);
});

/** Relays of which one answers that it does not listen; the names of those that were called. */
function newListeners(gone = "") {
  const calls: string[] = [];
  const kept = new Map<string, Record<string, number>>();
  const waited: Promise<unknown>[] = [];
  const relay = (name: string) => {
    const told = async () => {
      calls.push(name);
      return name !== gone;
    };
    return { changed: told, becameOf: told };
  };
  const kv = {
    get: (key: string) => kept.get(key),
    put: (key: string, value: Record<string, number>) => kept.set(key, value),
    delete: (key: string) => kept.delete(key),
  };
  // Of the object and its surroundings no more is used.
  const ctx = { storage: { kv }, waitUntil: (work: Promise<unknown>) => waited.push(work) };
  const env = { RELAYS: { getByName: relay } };
  const listeners = new Listeners(ctx as unknown as DurableObjectState, env as unknown as GeoEnv);
  return {
    listeners,
    calls,
    kept,
    async settled() {
      await pause(20);
      await Promise.all(waited);
    },
  };
}
