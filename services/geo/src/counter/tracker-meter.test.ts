import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { Quantity } from "#shared/contract/point/meter.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { chanceOf } from "../../../../test/tool/chance.ts";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { ChunkCatalogue } from "../chunk/catalogue.ts";
import { cutChunks } from "../chunk/plan.ts";
import type { MomentSearch } from "../object/moments.ts";
import { encodePoints } from "../point/codec.ts";
import { comparePoints, type Identity, mergePoints, type Point } from "../point/point.ts";
import { TrackerMeter } from "./tracker-meter.ts";

const RULE = `v:${JSON.stringify(["voltage", { calc_method: "in_range", range_from: 13, range_to: null, bit_index: null }])}`;
const OF: Quantity[] = ["meters", "hours i:1", "hours i:2", "rise a:fuel", "hours a:flow", `hours ${RULE}`];

test("a tracker's meter gives equal values however points are spread over chunks and open ones, late points included", async () => {
  for (const seed of [1, 2, 3]) {
    const chance = chanceOf(seed);
    const points = newDrive(9000, chance);
    const late = points.filter(() => chance() < 0.05);
    const inTime = points.filter((point) => !late.includes(point));
    const expected = meterOf();
    const meter = meterOf();
    await meter.store(inTime.slice(0, 7000));
    const open = inTime.slice(7000);
    // Read before and after points came: values from before must not be reused.
    await meter.values([Number.MAX_SAFE_INTEGER], open);
    const whole = mergePoints(open, late);
    const times = [0, points[3000]?.time ?? 0, points[8500]?.time ?? 0, Number.MAX_SAFE_INTEGER];
    const [mine, theirs] = [await meter.values(times, whole), await expected.values(times, points)];
    expectClose(mine.values.at(-1), theirs.values.at(-1));
    expect(mine.values[0]).toEqual(OF.map(() => 0));
    expect(mine.last).toBe(theirs.last);
    expect(mine.values.at(-1)?.every((value) => value > 0)).toBe(true);
    // Marks stand about an hour apart, so not every mark of one meter is one of the other.
    const [first = 0] = points.map(({ time }) => time);
    const wanted = { from: first, to: points.at(-1)?.time ?? 0 };
    const [marks, reference] = [await meter.marks(wanted, whole), await expected.marks(wanted, points)];
    for (const [index, time] of reference.times.entries()) {
      const there = marks.times.indexOf(time);
      if (there >= 0) expectClose(marks.values[there], reference.values[index]);
    }
    const shared = reference.times.filter((time) => marks.times.includes(time));
    expect(shared.length).toBeGreaterThan(reference.times.length / 2);
    // Exact values do not depend on later points.
    const asked = [100, 2000, 2001, 6999, 7000, 8500].flatMap((index) => points[index] ?? []);
    const cuts = asked.map(({ time }) => time - 1);
    const { cuts: found, values } = await meter.moments({ times: asked.map(({ time }) => time), cuts }, whole);
    const firstBehind = cuts.flatMap((cut) => points.find(({ time }) => time >= cut) ?? []);
    expect(found.map(identityOf)).toEqual(firstBehind.map(identityOf));
    for (const { time } of [...asked, ...firstBehind]) {
      const until = points.filter((point) => point.time <= time);
      expectClose(values.get(time), (await meterOf().values([time], until)).values[0]);
    }
  }
});

test("a tracker's meter reads one page for optional moments, none for those that marks know, and all for needed ones", async () => {
  const points = newDrive(9000, chanceOf(6));
  const meter = meterOf(800_000);
  const pinned = points[8000]?.time ?? 0;
  meter.pin(pinned);
  await meter.store(points);
  const times = [100, 200, 1600, 3100, 4600, 6100, 7600].map((index) => points[index]?.time ?? 0);
  const momentsOf = async (wanted: object) =>
    [...(await meter.moments(wanted, [])).values.keys()].toSorted((a, b) => a - b);
  // The rule is evaluated since the first request.
  await momentsOf({});
  const readings = () => meter.reads.splice(0);
  expect(readings()).toEqual([4, 2]);
  expect(await momentsOf({ times: [...times, pinned] })).toEqual([...times.slice(0, 5), pinned]);
  expect(readings()).toEqual([4]);
  // The first two are in one chunk.
  expect(await momentsOf({ needed: times.slice(4), times })).toEqual([...times.slice(0, 2), ...times.slice(4)]);
  expect(readings()).toEqual([4]);
  expect(await momentsOf({ needed: times })).toEqual(times);
  expect(readings()).toEqual([4, 2]);
  const cuts = [times[1], times[2]].map((time) => Number(time) - 1);
  expect(await momentsOf({ cuts, needed: times.slice(0, 1), times })).toEqual(times.slice(0, 5));
  expect(readings()).toEqual([4]);
  const ends = [points.at(-1)?.time ?? 0, Number.MAX_SAFE_INTEGER];
  expect(await momentsOf({ times: [0, pinned, ...ends] })).toEqual([0, pinned, ...ends]);
  expect(readings()).toEqual([]);
});

test("a tracker's meter takes a cut between two chunks to the first point behind it, stored or open", async () => {
  const points = newDrive(3000, chanceOf(7));
  const meter = meterOf();
  await meter.store(points.slice(0, 1500));
  await meter.store(points.slice(1500).map((point) => ({ ...point, time: point.time + HOUR_MS })));
  const cut = (points[1499]?.time ?? 0) + 1;
  const between = pointAt(0, { time: cut + MINUTE_MS, lat: 51 });
  const first = async (open: Point[]) => {
    const { cuts, values } = await meter.moments({ cuts: [cut] }, open);
    expect([...values.keys()]).toEqual(cuts.map(({ time }) => time));
    return cuts.map(identityOf);
  };
  expect(await first([])).toEqual([{ ...identityOf(points[1500]), time: (points[1500]?.time ?? 0) + HOUR_MS }]);
  expect(await first([between])).toEqual([identityOf(between)]);
});

test("a tracker's meter is exact at a pinned moment, in whichever chunk it lies", async () => {
  const points = newDrive(3000, chanceOf(4));
  const [before, behind] = [points.slice(0, 1001), points.slice(1001)];
  const pinned = before.at(-1)?.time ?? 0;
  const [known] = (await meterOf().values([pinned], before)).values;
  for (const stored of [0, 500, 3000]) {
    const meter = meterOf();
    meter.pin(pinned);
    await meter.store(points.slice(0, stored));
    expectClose((await meter.values([pinned], points.slice(stored))).values[0], known);
  }
  expect(behind.length).toBeGreaterThan(0);
});

test("a tracker's meter counts no hours over a silence of more than twelve, and no metres to a cell tower's point", async () => {
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

test("a tracker's meter continues after a counter was set back, and skips values that are no numbers", async () => {
  const points = [5, 7, "x", 2, "3.5"].map((fuel, index) => pointAt(index, { attributes: { fuel } }));
  const { values } = await meterOf().values([Number.MAX_SAFE_INTEGER], points);
  expect(values[0]?.[3]).toBe(3.5);
});

test("a tracker's meter computes a rule that is added later over the existing chunks", async () => {
  const points = newDrive(4000, chanceOf(5));
  const meter = meterOf();
  await meter.store(points.slice(0, 3500));
  const plain = await meter.values([Number.MAX_SAFE_INTEGER], points.slice(3500), OF.slice(0, 2));
  const all = await meter.values([Number.MAX_SAFE_INTEGER], points.slice(3500));
  expectClose(all.values[0]?.slice(0, 2), plain.values[0]);
  expectClose(all.values[0], (await meterOf().values([Number.MAX_SAFE_INTEGER], points)).values[0]);
});

test("a tracker's meter has a moment in the chunk's summary that is pinned while the chunk is being stored", async () => {
  const points = newDrive(1500, chanceOf(7));
  const pinned = points[600]?.time ?? 0;
  const [known] = (await meterOf().values([pinned], points.slice(0, 601))).values;
  const meter = meterOf();
  const asked = async () => {
    meter.pin(pinned);
    await meter.values([Number.MAX_SAFE_INTEGER], points);
  };
  await meter.store(points, asked);
  expectClose((await meter.values([pinned], [])).values[0], known);
});

/** A meter with its own database, as the runtime gives one to an object. */
function meterOf(chunkBytes?: number) {
  const sql = storageOf(new DatabaseSync(":memory:"));
  const chunks = new ChunkCatalogue(sql);
  const data = new Map<number, Uint8Array>();
  const reads: number[] = [];
  const meter = new TrackerMeter(sql, chunks, async (wanted) => {
    reads.push(wanted.length);
    return data;
  });
  return {
    values: (times: number[], open: Point[], of = OF) => meter.values({ times, of, since: 0 }, () => open),
    moments: (wanted: Partial<MomentSearch>, open: Point[]) =>
      meter.moments({ needed: [], cuts: [], times: [], of: OF, since: 0, ...wanted }, () => open),
    /** The number of chunks of each read. */
    reads,
    marks: (range: { from: number; to: number }, open: Point[]) =>
      meter.marks({ ...range, of: OF, since: 0 }, () => open),
    pin: (time: number) => meter.pin(time),
    /** `meanwhile` runs between the summary and the answer of the database. */
    async store(points: Point[], meanwhile?: () => Promise<void>) {
      for (const { row, points: stored, distances } of cutChunks(points)) {
        const summarized = meter.summarize(stored, distances);
        await meanwhile?.();
        const { data: bytes, ...header } = row;
        const chunk = { ...header, bytes: chunkBytes ?? header.bytes, id: data.size + 1, flush: 1, part: data.size };
        data.set(chunk.id, encodePoints(stored, "deflated"));
        chunks.replace([], [chunk]);
        meter.replace([], [{ header: chunk, data: row.data, summarized }]);
      }
    },
  };
}

function storageOf(database: DatabaseSync): SqlStorage {
  const exec = (query: string, ...values: (string | number | null)[]) => {
    const rows = database.prepare(query).all(...values);
    return { toArray: () => rows, one: () => rows[0] };
  };
  // The members of the storage that the meter uses.
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

function identityOf(point: Identity | undefined) {
  return point && { time: point.time, lat: point.lat, lng: point.lng };
}

function expectClose(values: number[] | undefined, expected: number[] | undefined) {
  expect(values?.length).toBe(expected?.length);
  for (const [index, value] of (values ?? []).entries()) expect(value).toBeCloseTo(expected?.[index] ?? 0, 3);
}
