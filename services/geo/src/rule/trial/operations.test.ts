import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/duration.ts";
import {
  type Account,
  feed,
  newAccount,
  type Reply,
  sharedAccount,
  UNKNOWN_ID,
} from "../../../../../test/tool/call/account.ts";

const TRY = "/tracker/rule/try";
const VISITS = "/zone/visit/list";
const START = Math.floor(systemNow() / MINUTE_MS - 120) * MINUTE_MS;
const RANGE = { from: writeTime(-10), to: writeTime(100) };
const GATE = { type: "inoutzone", name: "Gate" };

test("tracker/rule/try gives the events of a rule on stored points, and stores nothing", async () => {
  const { account, tracker_id, zone_id } = await newDrive();
  const given = { rule: { ...GATE, zone_ids: [zone_id] }, trackers: [tracker_id], ...RANGE };
  const { list, limit_exceeded } = await account.must(TRY, given);
  expect(list).toMatchObject([
    { tracker_id, event: "inzone", time: writeTime(10), zone_ids: [zone_id], zone_labels: ["Depot"] },
    { tracker_id, event: "outzone", time: writeTime(20) },
    { tracker_id, event: "inzone", time: writeTime(40) },
  ]);
  expect(limit_exceeded).toBe(false);
  expect((await account.must("/tracker/rule/list")).list).toEqual([]);
  expect((await account.must("/history/tracker/list", { trackers: [tracker_id], ...RANGE })).list).toEqual([]);
});

test("tracker/rule/try gives events in pages", async () => {
  const { account, tracker_id, zone_id } = await newDrive();
  const given = { rule: { ...GATE, zone_ids: [zone_id] }, trackers: [tracker_id], ...RANGE };
  const first = await account.must(TRY, { ...given, limit: 2 });
  const second = await account.must(TRY, { ...given, limit: 2, offset: 2 });
  expect([first.list.length, first.limit_exceeded]).toEqual([2, true]);
  expect([second.list.map(({ time }: Reply) => time), second.limit_exceeded]).toEqual([[writeTime(40)], false]);
});

test("zone/visit/list gives the visits of a stored or only drawZone zone with a beginning and an end", async () => {
  const { account, tracker_id, zone_id } = await newDrive();
  const visits = [
    { tracker_id, from: writeTime(10), to: writeTime(20), location: { lat: 50, lng: 8 } },
    { tracker_id, from: writeTime(40), to: null, location: { lat: 50, lng: 8 } },
  ];
  const given = { trackers: [tracker_id], ...RANGE };
  expect((await account.must(VISITS, { zone_id, ...given })).list).toEqual(visits);
  const zone = { type: "circle", center: { lat: 50, lng: 8 }, radius: 300 };
  expect((await account.must(VISITS, { zone, ...given })).list).toEqual(visits);
  expect((await account.must(VISITS, { zone, ...given, limit: 1 })).limit_exceeded).toBe(true);
});

test.each([
  ["an unknown zone", TRY, { rule: { ...GATE, zone_ids: [UNKNOWN_ID] } }, 204],
  ["an unknown zone", VISITS, { zone_id: UNKNOWN_ID }, 204],
  ["an unknown tracker", TRY, { rule: { type: "speedup", name: "S", param: 9 }, trackers: [UNKNOWN_ID] }, 217],
  ["32 days", TRY, { rule: { type: "speedup", name: "S", param: 9 }, from: daysAgo(32), to: daysAgo(0) }, 211],
  ["32 days", VISITS, { zone_id: 1, from: daysAgo(32), to: daysAgo(0) }, 211],
  ["a rule without its parameters", TRY, { rule: { type: "speedup", name: "S" } }, 7],
  ["neither a zone nor its id", VISITS, {}, 7],
  ["a circle with points", VISITS, { zone: drawZone("circle", 3) }, 230],
  ["a polygon of two points", VISITS, { zone: drawZone("polygon", 2) }, 284],
  ["a polygon of 101 points", VISITS, { zone: drawZone("polygon", 101) }, 202],
])("a request with %s to %s is refused by code", async (_, path, given, code) => {
  const account = await sharedAccount();
  const { id } = await account.newTracker();
  expect((await account.call(path, { trackers: [id], ...RANGE, ...given })).status.code).toBe(code);
});

/** The tracker is in the zone from minute 10 to 20, and from minute 40 on. */
async function newDrive() {
  const account = await newAccount({ time_zone: "UTC" });
  const { id: tracker_id, source } = await account.newTracker();
  const zone_id = await newCircle(account);
  const lngs = [7.9, 8, 8.1, 8.2, 8];
  await feed(
    source.device_id,
    lngs.map((lng, index) => ({ time: START + index * 10 * MINUTE_MS, lat: 50, lng })),
  );
  return { account, tracker_id, zone_id };
}

async function newCircle(account: Account): Promise<number> {
  const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 300 };
  return (await account.must("/zone/create", { zone })).id;
}

function drawZone(type: string, count: number) {
  const points = Array.from({ length: count }, (_, index) => ({ lat: 50 + index / 1000, lng: 8 }));
  return { type, radius: 100, center: { lat: 50, lng: 8 }, points };
}

function daysAgo(days: number) {
  return new Date(systemNow() - days * DAY_MS).toISOString().slice(0, 19).replace("T", " ");
}

function writeTime(minute: number) {
  return new Date(START + minute * MINUTE_MS).toISOString().slice(0, 19).replace("T", " ");
}
