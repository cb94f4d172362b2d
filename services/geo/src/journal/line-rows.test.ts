import { expect, test } from "vitest";
import { newObjectStorage } from "../../../../test/tool/system/object-storage.ts";
import { LineRows, type TrackerLine } from "./line-rows.ts";

const lineOf = (tracker_id: number, number: number, bytes = 60): TrackerLine => ({
  tracker_id,
  number,
  received: number + 1,
  facts: number % 2 === 0 ? { time: number, battery_level: number } : null,
  points: new Uint8Array(bytes).fill(tracker_id),
});

test("LineRows joins groups to the row before until it is full, and never to a row from before a restart", () => {
  const { sql } = newObjectStorage();
  const rows = new LineRows(sql);
  const groups = Array.from({ length: 40 }, (_, group) => [1, 2, 3].map((id) => lineOf(id, group)));
  const ids = groups.map((group) => rows.add(group));
  expect(new Set(ids).size).toBe(2);
  expect(new LineRows(sql).read([...new Set(ids)])).toEqual(groups.flat());
  expect([...new LineRows(sql).heads()]).toEqual(
    groups.flatMap((group, index) => group.map(({ tracker_id, number }) => ({ row: ids[index], tracker_id, number }))),
  );
  // A row from before a restart is not joined: its lines are not in memory.
  expect(ids).not.toContain(new LineRows(sql).add([lineOf(1, 99)]));
});

test("LineRows gives a large group a row of its own, and the next group a new row", () => {
  const { sql } = newObjectStorage();
  const rows = new LineRows(sql);
  const large = Array.from({ length: 64 }, (_, index) => lineOf(index, 5, 400));
  const ids = [rows.add([lineOf(1, 1)]), rows.add(large), rows.add([lineOf(1, 2)])];
  expect(new Set(ids).size).toBe(3);
  expect(rows.read(ids.slice(1, 2))).toEqual(large);
});

test("LineRows joins no group to a row that was replaced or removed", () => {
  const { sql } = newObjectStorage();
  const rows = new LineRows(sql);
  const first = rows.add([lineOf(1, 1), lineOf(2, 1)]);
  expect([rows.rowsWith(1), rows.rowsWith(2), rows.rowsWith(12)]).toEqual([[first], [first], []]);
  rows.replace(first, [lineOf(2, 1)]);
  expect([rows.rowsWith(1), rows.rowsWith(2)]).toEqual([[], [first]]);
  const second = rows.add([lineOf(3, 1)]);
  expect(second).not.toBe(first);
  rows.remove([second]);
  rows.add([lineOf(4, 1)]);
  expect([...rows.heads()].map(({ tracker_id }) => tracker_id)).toEqual([2, 4]);
});

test("LineRows gives back points of no bytes and facts of any text as they were", () => {
  const { sql } = newObjectStorage();
  const rows = new LineRows(sql);
  const line = { ...lineOf(1, 1, 0), facts: { time: 5, additional: { note: `it's "so", ü` } } };
  const id = rows.add([line, lineOf(2, 3)]);
  expect(rows.read([id])).toEqual([line, lineOf(2, 3)]);
});
