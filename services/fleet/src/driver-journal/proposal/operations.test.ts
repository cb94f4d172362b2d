import { expect, test } from "vitest";
import { DAY_MS, SECOND_MS } from "#shared/time/duration.ts";
import {
  type Account,
  feed,
  newAccount,
  operator,
  type Reply,
  sharedAccount,
  UNKNOWN_ID,
} from "#test/tool/call/account.ts";
import { systemNow, writeLocal } from "../../../../../shared/time/clock.ts";

const ZONE = "Europe/Berlin";
/** Degrees of latitude in ten seconds at 36 km/h: some 100 m. */
const STEP = 0.0009;

/** Points of a drive, one every ten seconds, the first of them `ago` seconds ago. */
function drive(ago: number, count: number, lat: number) {
  const start = Math.floor(systemNow() / SECOND_MS) * SECOND_MS - ago * SECOND_MS;
  return Array.from({ length: count }, (_, index) => ({
    time: start + index * 10 * SECOND_MS,
    lat: lat + index * STEP,
    lng: 8,
    speed: 36,
  }));
}

const local = (ms: number) => writeLocal(ms, ZONE);
const RANGE = { from: local(systemNow() - DAY_MS), to: local(systemNow() + DAY_MS) };

async function proposalsOf(account: Account, tracker_id: number) {
  return (await account.must("/driver/journal/proposal/list", { tracker_id, ...RANGE })).list;
}

/** The distance between the two odometer values of a proposal, in kilometers. */
function drivenBy({ start_odometer, end_odometer }: Reply): number {
  return end_odometer - start_odometer;
}

async function sendAll(device_id: string, points: object[]) {
  for (let first = 0; first < points.length; first += 1000) await feed(device_id, points.slice(first, first + 1000));
}

test("driver/journal/proposal/list proposes whole tracks, and entry/create takes them as proposed", async () => {
  const account = await sharedAccount();
  const { id: tracker_id, source } = await account.newTracker();
  const { id: employee_id } = await account.must("/employee/create", { employee: { first_name: "Ann", tracker_id } });
  const [first, second] = [drive(20_000, 61, 40), drive(10_000, 31, 41)];
  await feed(source.device_id, [...first, ...second]);
  const proposals = await proposalsOf(account, tracker_id);
  expect(proposals).toMatchObject([
    {
      ...{ tracker_id, employee_id: null, overlapped: false, start_odometer: 0 },
      start_date: local(first[0]?.time ?? 0),
      end_date: local(first.at(-1)?.time ?? 0),
      start_location: { lat: 40, lng: 8, address: "" },
      end_location: { lat: 40 + 60 * STEP, lng: 8 },
    },
    { employee_id: null, start_date: local(second[0]?.time ?? 0) },
  ]);
  expect(proposals[0].length).toBeCloseTo(6, 1);
  expect(drivenBy(proposals[0])).toBeCloseTo(proposals[0].length, 3);
  expect(drivenBy(proposals[1])).toBeCloseTo(proposals[1].length, 3);
  // The odometer also counts the distance between the two drives.
  expect(proposals[1].start_odometer - proposals[0].end_odometer).toBeCloseTo(105, 0);
  const { overlapped, ...entry } = proposals[0];
  await account.must("/driver/journal/entry/create", { entries: [{ ...entry, employee_id, type: "work" }] });
  const after = await proposalsOf(account, tracker_id);
  expect(after.map((proposal: Reply) => proposal.overlapped)).toEqual([true, false]);
});

test("driver/journal/proposal/list cuts a track where the driver changed", async () => {
  const account = await sharedAccount();
  const { id: tracker_id, source } = await account.newTracker();
  const { id: ann } = await account.must("/employee/create", { employee: { first_name: "Ann" } });
  // A drive that begins before the drivers change and ends after it.
  const before = drive(300, 31, 40);
  await feed(source.device_id, before);
  await account.must("/tracker/employee/assign", { tracker_id, new_employee_id: ann });
  const changed = systemNow();
  const after = Array.from({ length: 11 }, (_, index) => ({
    time: (before.at(-1)?.time ?? 0) + (index + 1) * 10 * SECOND_MS,
    lat: 40 + (31 + index) * STEP,
    lng: 8,
    speed: 36,
  }));
  await feed(source.device_id, after);
  const { list } = await account.must("/driver/journal/proposal/list", { tracker_id, ...RANGE });
  const cut = [...before, ...after].find(({ time }) => time >= changed - SECOND_MS) ?? after[0];
  expect(list).toHaveLength(2);
  const [first, second] = list;
  expect(first).toMatchObject({ employee_id: null, start_date: local(before[0]?.time ?? 0) });
  expect(second).toMatchObject({ employee_id: ann, end_date: local(after.at(-1)?.time ?? 0) });
  expect(first.end_date).toBe(second.start_date);
  expect(first.end_location).toEqual(second.start_location);
  expect(Math.abs((first.end_location.lat - 40) / STEP - ((cut?.lat ?? 0) - 40) / STEP)).toBeLessThan(1.5);
  expect(first.length + second.length).toBeCloseTo(4, 0);
  expect(first.start_odometer).toBe(0);
  expect(first.end_odometer).toBeCloseTo(first.length, 3);
  expect(second.start_odometer).toBe(first.end_odometer);
  expect(drivenBy(second)).toBeCloseTo(second.length, 3);
});

test("driver/journal/proposal/list gives past odometer values, with set values, multipliers and late points as in the counter", async () => {
  const account = await sharedAccount();
  const { id: tracker_id, source } = await account.newTracker();
  const counter = { tracker_id, type: "odometer" };
  const [first, second, third] = [drive(30_000, 61, 40), drive(20_000, 61, 40.1), drive(10_000, 61, 40.2)];
  const parked = { ...first.at(-1), time: Number(first.at(-1)?.time) + 3000 * SECOND_MS, speed: 0 };
  await feed(source.device_id, [...first, parked]);
  await account.must("/tracker/counter/value/set", { ...counter, value: -50 });
  await feed(source.device_id, second);
  await account.must("/tracker/counter/update", { ...counter, multiplier: 2 });
  await feed(source.device_id, third);
  // A late point, from before the time at which the value was set.
  await feed(source.device_id, [{ ...first[30], time: Number(first[30]?.time) + SECOND_MS, lng: 8.0005 }]);
  const proposals = await proposalsOf(account, tracker_id);
  const [one, two, three] = proposals;
  expect(one.length).toBeGreaterThan(6.03);
  expect([one.start_odometer, drivenBy(one) - one.length]).toEqual([0, expect.closeTo(0, 3)]);
  expect(two.start_odometer).toBeCloseTo(-50 + 0.046 * 111.05, 1);
  expect(drivenBy(two)).toBeCloseTo(two.length, 3);
  expect(three.start_odometer).toBeCloseTo(two.end_odometer + 2 * 0.046 * 111.05, 1);
  expect(drivenBy(three)).toBeCloseTo(2 * three.length, 3);
  const { value } = await account.must("/tracker/counter/value/get", counter);
  expect(three.end_odometer).toBe(value);
  // A negative odometer is accepted, too.
  const { overlapped, ...entry } = two;
  await account.must("/driver/journal/entry/create", { entries: [{ ...entry, type: "work" }] });
});

test("driver/journal/proposal/list gives equal odometers for stored and still open points, cut or not, and for a clone", async () => {
  const account = await sharedAccount();
  const { id: tracker_id, source } = await account.newTracker();
  const { id: ann } = await account.must("/employee/create", { employee: { first_name: "Ann" } });
  const way = (count: number, at: (index: number) => number, begun: number) =>
    Array.from({ length: count }, (_, index) => ({
      time: at(index),
      lat: 40 + (begun + index) * 1e-4,
      lng: 8,
      speed: 40,
    }));
  const now = Math.floor(systemNow() / SECOND_MS) * SECOND_MS;
  // Each drive begins where the one before it ended. The second begins before the driver is assigned and ends after it.
  const early = way(4000, (index) => now + (index - 8000) * SECOND_MS, 0);
  const late = way(1300, (index) => now + (index - 1200) * SECOND_MS, 3999);
  await sendAll(source.device_id, [...early, ...late.slice(0, 1100)]);
  await account.must("/tracker/employee/assign", { tracker_id, new_employee_id: ann });
  await sendAll(source.device_id, late.slice(1100));
  const proposals = await proposalsOf(account, tracker_id);
  expect(proposals.map(({ employee_id }: Reply) => employee_id)).toEqual([null, null, ann]);
  const [one, two, three] = proposals;
  expect(one.length).toBeCloseTo(3999 * 0.0111, 1);
  expect(two.length + three.length).toBeCloseTo(1299 * 0.0111, 1);
  expect(two.length).toBeGreaterThan(1100 * 0.0111 - 0.1);
  let before = 0;
  for (const { start_odometer, end_odometer, length } of proposals) {
    expect(start_odometer).toBeCloseTo(before, 3);
    expect(end_odometer).toBeCloseTo(before + length, 2);
    before = end_odometer;
  }
  const viewer = await newAccount();
  const cloned = { tracker_id, user_id: viewer.id, label: "Clone" };
  const { id: clone } = await operator.must("/panel/tracker/clone", cloned);
  const seen = await proposalsOf(viewer, clone);
  const odometersOf = ({ start_odometer, end_odometer }: Reply) => [start_odometer, end_odometer];
  expect(seen.map(odometersOf)).toEqual([odometersOf(one), [two.start_odometer, three.end_odometer]]);
});

test("driver/journal/proposal/list refuses an unknown tracker and an invalid range by name", async () => {
  const account = await sharedAccount();
  const { id: tracker_id } = await account.newTracker();
  const ask = (parameters: object) => account.call("/driver/journal/proposal/list", { ...RANGE, ...parameters });
  expect(await proposalsOf(account, tracker_id)).toEqual([]);
  expect((await ask({ tracker_id: UNKNOWN_ID })).errors[0].parameter).toBe("tracker_id");
  expect((await ask({ tracker_id, from: null })).errors[0].parameter).toBe("interval");
  expect((await ask({ tracker_id, from: RANGE.to, to: RANGE.from })).errors[0].parameter).toBe("interval");
  expect((await ask({ tracker_id, from: "2020-01-01 00:00:00" })).status.code).toBe(211);
  expect((await ask({ tracker_id, from: "2020-01-01 00:00:00", to: "2020-01-02 00:00:00" })).list).toEqual([]);
});
