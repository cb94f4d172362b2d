import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { Quantity } from "#shared/metered.ts";
import { ChunkIndex } from "../feed/chunk-index.ts";
import { cutChunks } from "../feed/chunk-plan.ts";
import { encodePoints } from "../point/columns.ts";
import { comparePoints, mergePoints, type Point } from "../point/point.ts";
import { chanceOf, pointAt } from "../point/recorded.ts";
import { TrackerMeter } from "./tracker-meter.ts";

const RULE = `v:${JSON.stringify(["voltage", { calc_method: "in_range", range_from: 13, range_to: null, bit_index: null }])}`;
const OF: Quantity[] = ["meters", "hours i:1", "hours i:2", "rise a:fuel", "hours a:flow", `hours ${RULE}`];

test("however the points are spread over chunks and open ones, late ones included, the same has run up", async () => {
  for (const seed of [1, 2, 3]) {
    const chance = chanceOf(seed);
    const points = newDrive(9000, chance);
    const late = points.filter(() => chance() < 0.05);
    const inTime = points.filter((point) => !late.includes(point));
    const expected = meterOf();
    const meter = meterOf();
    meter.store(inTime.slice(0, 7000));
    const open = inTime.slice(7000);
    // Asked for before and after they came, so that nothing known from before is taken for true.
    await meter.values([Number.MAX_SAFE_INTEGER], open);
    const whole = mergePoints(open, late);
    const times = [0, points[3000]?.time ?? 0, points[8500]?.time ?? 0, Number.MAX_SAFE_INTEGER];
    const [mine, theirs] = [await meter.values(times, whole), await expected.values(times, points)];
    expectClose(mine.values.at(-1), theirs.values.at(-1));
    expect(mine.values[0]).toEqual(OF.map(() => 0));
    expect(mine.last).toBe(theirs.last);
    expect(mine.values.at(-1)?.every((value) => value > 0)).toBe(true);
    // In between only hours are told apart.
    const [first = 0] = points.map(({ time }) => time);
    const wanted = { from: first, to: points.at(-1)?.time ?? 0 };
    const [marks, reference] = [await meter.marks(wanted, whole), await expected.marks(wanted, points)];
    for (const [index, time] of reference.times.entries()) {
      const there = marks.times.indexOf(time);
      if (there >= 0) expectClose(marks.values[there], reference.values[index]);
    }
    const shared = reference.times.filter((time) => marks.times.includes(time));
    expect(shared.length).toBeGreaterThan(reference.times.length / 2);
    // To the point, where that is asked for: as if there were no points behind it.
    for (const index of [100, 2000, 6999, 8500]) {
      const time = points[index]?.time ?? 0;
      const until = points.filter((point) => point.time <= time);
      expectClose(await meter.exactly(time, whole), (await meterOf().values([time], until)).values[0]);
    }
  }
});

test("a pinned moment is exact, in whichever chunk it comes to lie", async () => {
  const points = newDrive(3000, chanceOf(4));
  const [before, behind] = [points.slice(0, 1001), points.slice(1001)];
  const pinned = before.at(-1)?.time ?? 0;
  const [known] = (await meterOf().values([pinned], before)).values;
  for (const stored of [0, 500, 3000]) {
    const meter = meterOf();
    meter.pin(pinned);
    meter.store(points.slice(0, stored));
    expectClose((await meter.values([pinned], points.slice(stored))).values[0], known);
  }
  expect(behind.length).toBeGreaterThan(0);
});

test("a silence of more than twelve hours counts for no hours, and a cell tower's point for no metres", async () => {
  const hours = (count: number) => count * 3600;
  const points = [
    pointAt(0, { inputs: 1 }),
    pointAt(hours(12), { inputs: 1 }),
    pointAt(hours(25), { inputs: 1, lat: 51, gsm_lbs: true }),
    pointAt(hours(26), { inputs: 0 }),
  ];
  const { values } = await meterOf().values([Number.MAX_SAFE_INTEGER], points);
  expect(values[0]?.slice(0, 2)).toEqual([0, 13]);
});

test("counters that are set back count on from there, and words are no numbers", async () => {
  const points = [5, 7, "x", 2, "3.5"].map((fuel, index) => pointAt(index, { attributes: { fuel } }));
  const { values } = await meterOf().values([Number.MAX_SAFE_INTEGER], points);
  expect(values[0]?.[3]).toBe(3.5);
});

test("a rule that is followed later is metered in the chunks that are there", async () => {
  const points = newDrive(4000, chanceOf(5));
  const meter = meterOf();
  meter.store(points.slice(0, 3500));
  const plain = await meter.values([Number.MAX_SAFE_INTEGER], points.slice(3500), OF.slice(0, 2));
  const all = await meter.values([Number.MAX_SAFE_INTEGER], points.slice(3500));
  expectClose(all.values[0]?.slice(0, 2), plain.values[0]);
  expectClose(all.values[0], (await meterOf().values([Number.MAX_SAFE_INTEGER], points)).values[0]);
});

/** With a database of its own, as the runtime gives one to an object. */
function meterOf() {
  const sql = storageOf(new DatabaseSync(":memory:"));
  const chunks = new ChunkIndex(sql);
  const data = new Map<number, Uint8Array>();
  const meter = new TrackerMeter(sql, chunks, async () => data);
  return {
    values: (times: number[], open: Point[], of = OF) => meter.values({ times, of, since: 0 }, () => open),
    exactly: async (time: number, open: Point[]) => {
      const { values } = await meter.values({ times: [time], of: OF, since: 0, exact: true }, () => open);
      return values[0];
    },
    marks: (range: { from: number; to: number }, open: Point[]) =>
      meter.marks({ ...range, of: OF, since: 0 }, () => open),
    pin: (time: number) => meter.pin(time),
    store(points: Point[]) {
      for (const { row, points: stored } of cutChunks(points)) {
        const { data: bytes, ...header } = row;
        const chunk = { ...header, id: data.size + 1, flush: 1, part: data.size };
        data.set(chunk.id, encodePoints(stored, "deflated"));
        chunks.replace([], [chunk]);
        meter.replace([], [{ header: chunk, points: stored }]);
      }
    },
  };
}

function storageOf(database: DatabaseSync): SqlStorage {
  const exec = (query: string, ...values: (string | number | null)[]) => {
    const rows = database.prepare(query).all(...values);
    return { toArray: () => rows, one: () => rows[0] };
  };
  // The part of it that is used here.
  return { exec } as unknown as SqlStorage;
}

/** A point every 20 seconds, with inputs and attributes that come and go. */
function newDrive(count: number, chance: () => number): Point[] {
  let fuel = 100;
  const points = Array.from({ length: count }, (_, index) => {
    fuel += chance();
    return pointAt(index * 20 + Math.floor(chance() * 9), {
      lat: 50 + index * 0.001 + chance() * 0.0001,
      lng: 8 + chance() * 0.001,
      gsm_lbs: chance() < 0.02,
      inputs: chance() < 0.9 ? Math.floor(chance() * 4) : null,
      attributes: chance() < 0.8 ? { fuel, flow: chance() * 10, voltage: 12 + chance() * 2 } : null,
    });
  });
  return points.sort(comparePoints);
}

function expectClose(values: number[] | undefined, expected: number[] | undefined) {
  expect(values?.length).toBe(expected?.length);
  for (const [index, value] of (values ?? []).entries()) expect(value).toBeCloseTo(expected?.[index] ?? 0, 3);
}
