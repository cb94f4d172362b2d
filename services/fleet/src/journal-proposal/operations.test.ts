import { expect, test } from "vitest";
import { writeLocal } from "../../../../shared/clock.ts";
import { type Account, feed, newAccount, type Reply, UNKNOWN_ID } from "../../../../test/account.ts";

const ZONE = "Europe/Berlin";
const SECOND_MS = 1000;
/** Degrees of latitude in ten seconds at 36 km/h: some 100 m. */
const STEP = 0.0009;

/** A drive of so many points, one every ten seconds, that begins so many seconds ago. */
function drive(ago: number, count: number, lat: number) {
  const start = Math.floor(Date.now() / SECOND_MS) * SECOND_MS - ago * SECOND_MS;
  return Array.from({ length: count }, (_, index) => ({
    time: start + index * 10 * SECOND_MS,
    lat: lat + index * STEP,
    lng: 8,
    speed: 36,
  }));
}

const local = (ms: number) => writeLocal(ms, ZONE);
const RANGE = { from: local(Date.now() - 86_400_000), to: local(Date.now() + 86_400_000) };

async function proposalsOf(account: Account, tracker_id: number) {
  return (await account.must("/driver/journal/proposal/list", { tracker_id, ...RANGE })).list;
}

test("tracks are proposed whole, and as they are proposed they can be entered", async () => {
  const account = await newAccount();
  const { id: tracker_id, source } = await account.newTracker();
  const { id: employee_id } = await account.must("/employee/create", { employee: { first_name: "Ann", tracker_id } });
  const [first, second] = [drive(20_000, 61, 40), drive(10_000, 31, 41)];
  await feed(source.device_id, [...first, ...second]);
  const proposals = await proposalsOf(account, tracker_id);
  expect(proposals).toMatchObject([
    {
      ...{ tracker_id, employee_id: null, overlapped: false, start_odometer: null, end_odometer: null },
      start_date: local(first[0]?.time ?? 0),
      end_date: local(first.at(-1)?.time ?? 0),
      start_location: { lat: 40, lng: 8, address: "" },
      end_location: { lat: 40 + 60 * STEP, lng: 8 },
    },
    { employee_id: null, start_date: local(second[0]?.time ?? 0) },
  ]);
  expect(proposals[0].length).toBeCloseTo(6, 1);
  const { overlapped, ...entry } = proposals[0];
  await account.must("/driver/journal/entry/create", { entries: [{ ...entry, employee_id, type: "work" }] });
  const after = await proposalsOf(account, tracker_id);
  expect(after.map((proposal: Reply) => proposal.overlapped)).toEqual([true, false]);
});

test("a track is cut where the driver changed", async () => {
  const account = await newAccount();
  const { id: tracker_id, source } = await account.newTracker();
  const { id: ann } = await account.must("/employee/create", { employee: { first_name: "Ann" } });
  // A drive that began before, and goes on after, the drivers came.
  const before = drive(300, 31, 40);
  await feed(source.device_id, before);
  await account.must("/tracker/employee/assign", { tracker_id, new_employee_id: ann });
  const changed = Date.now();
  const after = Array.from({ length: 60 }, (_, index) => ({
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
  expect(first.length + second.length).toBeCloseTo(9, 0);
});

test("a tracker of nobody's and a range that is none are refused by name", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const ask = (given: object) => account.call("/driver/journal/proposal/list", { ...RANGE, ...given });
  expect(await proposalsOf(account, tracker_id)).toEqual([]);
  expect((await ask({ tracker_id: UNKNOWN_ID })).errors[0].parameter).toBe("tracker_id");
  expect((await ask({ tracker_id, from: null })).errors[0].parameter).toBe("interval");
  expect((await ask({ tracker_id, from: RANGE.to, to: RANGE.from })).errors[0].parameter).toBe("interval");
  expect((await ask({ tracker_id, from: "2020-01-01 00:00:00" })).status.code).toBe(211);
  expect((await ask({ tracker_id, from: "2020-01-01 00:00:00", to: "2020-01-02 00:00:00" })).list).toEqual([]);
});
