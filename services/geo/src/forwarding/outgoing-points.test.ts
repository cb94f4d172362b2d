import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { fullPoint } from "../../../../test/tool/point/made.ts";
import { encodePoints } from "../point/codec.ts";
import { advanceCursor, type Cursor, OutgoingPoints } from "./outgoing-points.ts";

const START: Cursor = { row: 0, offset: 0 };

/** The used part of an object's storage, on a real SQLite. */
function newStorage() {
  const database = new DatabaseSync(":memory:");
  const exec = (statement: string, ...values: (string | number | Uint8Array)[]) => {
    const rows = database.prepare(statement).all(...values) as Record<string, unknown>[];
    return Object.assign(rows.values(), { one: () => rows[0], toArray: () => rows });
  };
  // The runtime's cursors have more members than the queue uses.
  return { exec } as unknown as SqlStorage;
}

function pointsFrom(first: number, count: number, more = {}) {
  return Array.from({ length: count }, (_, index) => fullPoint({ time: (first + index) * 1000, ...more }));
}

function secondsOf({ points }: { points: { time: number }[] }) {
  return points.map(({ time }) => time / 1000);
}

test("OutgoingPoints.read goes on where the target acknowledged, within a row and across rows", () => {
  const queue = new OutgoingPoints(newStorage());
  queue.append(0, pointsFrom(0, 3));
  const two = pointsFrom(3, 1);
  queue.append(0, two, encodePoints(two, "raw"));
  queue.append(0, pointsFrom(4, 5));
  let cursor = START;
  const seen: number[][] = [];
  for (const count of [2, 3, 1, 100]) {
    const batch = queue.read(cursor, 4);
    seen.push(secondsOf(batch));
    cursor = advanceCursor(cursor, batch, Math.min(count, batch.points.length));
  }
  expect(seen).toEqual([
    [0, 1, 2, 3],
    [2, 3, 4, 5],
    [5, 6, 7, 8],
    [6, 7, 8],
  ]);
  expect(cursor).toEqual({ row: 3, offset: 0 });
  expect(queue.countAfter(cursor)).toBe(0);
});

test("OutgoingPoints.countAfter counts the waiting points at every cursor", () => {
  const queue = new OutgoingPoints(newStorage());
  for (const first of [0, 3, 6]) queue.append(0, pointsFrom(first, 3));
  const counts = [0, 1, 2, 3, 4, 8, 9].map((done) =>
    queue.countAfter(advanceCursor(START, queue.read(START, 9), done)),
  );
  expect(counts).toEqual([9, 8, 7, 6, 5, 1, 0]);
});

test("OutgoingPoints drops rows that all targets have, and never reuses their numbers, also after a restart", () => {
  const storage = newStorage();
  const queue = new OutgoingPoints(storage);
  queue.append(0, pointsFrom(0, 2));
  queue.dropUntil(1);
  const restarted = new OutgoingPoints(storage);
  restarted.append(0, pointsFrom(2, 2));
  expect(restarted.last).toBe(2);
  expect(secondsOf(restarted.read({ row: 1, offset: 0 }, 10))).toEqual([2, 3]);
});

test("OutgoingPoints.overdue gives rows that were accepted before the moment, not at it", () => {
  const queue = new OutgoingPoints(newStorage());
  for (const accepted of [1000, 2000, 3000]) queue.append(accepted, pointsFrom(accepted, 1));
  expect([1000, 1001, 2001, 9000].map((moment) => queue.overdue(moment))).toEqual([undefined, 1, 2, 3]);
});

test("OutgoingPoints.overdue gives the oldest rows beyond the size limit, whatever their age", () => {
  const storage = newStorage();
  const queue = new OutgoingPoints(storage, 5000);
  const large = (first: number) => pointsFrom(first, 1, { attributes: { text: "x".repeat(1000) } });
  for (const first of [0, 1, 2, 3]) queue.append(0, large(first));
  expect(queue.overdue(0)).toBeUndefined();
  queue.append(0, large(4));
  expect(queue.overdue(0)).toBe(1);
  expect(new OutgoingPoints(storage, 5000).overdue(0)).toBe(1);
  queue.dropUntil(1);
  expect(queue.overdue(0)).toBeUndefined();
  expect(secondsOf(queue.read(START, 10))).toEqual([1, 2, 3, 4]);
});

test("OutgoingPoints.append splits a request larger than a storage row, and keeps its order", () => {
  const queue = new OutgoingPoints(newStorage());
  queue.append(0, pointsFrom(0, 20, { attributes: { text: "x".repeat(100_000) } }));
  expect(queue.last).toBeGreaterThan(1);
  expect(secondsOf(queue.read(START, 20))).toEqual([...Array(20).keys()]);
});
