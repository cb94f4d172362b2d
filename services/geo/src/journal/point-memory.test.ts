import { expect, test } from "vitest";
import { HOUR_MS } from "#shared/time/duration.ts";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { newObjectStorage } from "../../../../test/tool/system/object-storage.ts";
import type { GeoEnv } from "../env.ts";
import { PointBatch } from "../point/point-batch.ts";
import { LastState } from "./last-state.ts";
import { PointMemory } from "./point-memory.ts";
import type { StoredChunks } from "./stored-chunks.ts";

const NOW = pointAt(0).time;
const [PAST, AHEAD] = [
  [pointAt(-60), pointAt(-30)],
  [pointAt(3600), pointAt(7200)],
];

test("points ahead of the clock survive the flush of others, and count once the clock has reached them", () => {
  const { memory, restored } = newMemory();
  keep(memory);
  const snapshot = memory.snapshot();
  expect(snapshot.open.readBatches(0, snapshot.open.count)).toEqual(PAST);
  memory.drop(snapshot);
  expect([memory.open, memory.all]).toEqual([[], AHEAD]);

  const waiting = restored(NOW);
  expect([waiting.memory.open, waiting.memory.all]).toEqual([[], AHEAD]);
  expect(waiting.state.current.last_message).toBe(NOW);
  expect(waiting.memory.removeDue(NOW + HOUR_MS)).toEqual(AHEAD.slice(0, 1));
  expect(waiting.memory.removeDue(NOW + HOUR_MS)).toEqual([]);

  const later = restored(NOW + HOUR_MS);
  expect([later.memory.open, later.memory.all]).toEqual([AHEAD.slice(0, 1), AHEAD]);
  expect(later.state.current.last_point?.time).toBe(NOW + HOUR_MS);
});

test("points that the clock reaches during a flush are not dropped with it", () => {
  const { memory, restored } = newMemory();
  keep(memory);
  const snapshot = memory.snapshot();
  memory.add(PointBatch.of(memory.removeDue(NOW + 3 * HOUR_MS)));
  memory.drop(snapshot);
  expect(memory.open).toEqual(AHEAD);
  expect(restored(NOW + 3 * HOUR_MS).memory.open).toEqual(AHEAD);
});

test("a point ahead of the clock that is sent again is a duplicate", () => {
  const { memory } = newMemory();
  keep(memory);
  const later = pointAt(3601);
  expect(memory.withoutStored(PointBatch.of([...PAST, ...AHEAD, later])).points).toEqual([later]);
});

test("a point up to two minutes ahead counts at once, a later one waits, and at most 20,000 points wait", () => {
  const { memory } = newMemory();
  const edge = pointAt(120);
  const behind = { ...edge, time: edge.time + 1 };
  expect(memory.due(PointBatch.of([edge, behind]), NOW).points).toEqual([edge]);
  memory.addAhead(Array.from({ length: 19_999 }, (_, index) => pointAt(3600 + index)));
  expect([0, 1, 2].map((count) => memory.canHoldAhead(count))).toEqual([true, true, false]);
});

function keep(memory: PointMemory) {
  memory.append(NOW, null, PointBatch.of([...PAST, ...AHEAD]));
  memory.add(PointBatch.of(PAST));
  memory.addAhead(AHEAD);
}

/** A memory with its own storage, from which it can be restored at any time of the clock. */
function newMemory() {
  const storage = newObjectStorage();
  // The runtime's type has more members than the memory uses.
  const feed = { storage } as unknown as DurableObjectState;
  const env = { AHEAD_SECONDS: "120" } as GeoEnv;
  const restored = (now: number) => {
    const state = new LastState(storage);
    const memory = new PointMemory(feed, env, NO_CHUNKS, state);
    memory.restore(now, []);
    return { memory, state };
  };
  const { memory, state } = restored(NOW);
  state.observePoints(NOW, PAST);
  state.observeMessage(NOW, null);
  return { memory, restored };
}

// Stored chunks that hold nothing: no flush has written points yet.
const NO_CHUNKS = { holds: () => false, catalogue: { lastIdentity: () => null } } as unknown as StoredChunks;
