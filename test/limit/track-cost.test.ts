import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { MINUTE_MS } from "../../shared/time/duration.ts";
import { type Account, accountsOn } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { METRICS_KEY } from "../tool/system/operator.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

// Trips to the databases are counted per system: on one that others use, theirs would count too.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let account: Account;
let tracker_id: number;
let range: { tracker_id: number; from: string; to: string };

const POINTS = 10_000;

beforeAll(async () => {
  // Audit entries are delivered after an answer: their trips are no part of a call.
  system = await startWatchedSystem();
  const { newAccount, feed } = accountsOn(system);
  account = await newAccount({ time_zone: "UTC" });
  const { id, source } = await account.newTracker();
  tracker_id = id;
  const start = systemNow() - (POINTS + 60) * MINUTE_MS;
  range = { tracker_id, from: writeUtc(start), to: writeUtc(start + POINTS * MINUTE_MS) };
  for (let sent = 0; sent < POINTS; sent += 1000) {
    const points = Array.from({ length: 1000 }, (_, index) => pointAt(start, sent + index));
    expect(await feed(source.device_id, points)).toMatchObject({ accepted: 1000 });
  }
});

afterAll(async () => {
  await system.bringUp("geo");
  await system.stop();
});

test("a list decodes no points: the database that holds them is asked for addresses alone, once", async () => {
  for (const parameters of [range, { ...range, split: false, include_gsm_lbs: false }]) {
    await expectCost("/track/list", { ...parameters, omit_addresses: true }, { fleet: 1, geo: 0 });
    await expectCost("/track/list", parameters, { fleet: 1, geo: 1 });
  }
});

test.each([
  ["/track/list", { with_points: true, omit_addresses: true }],
  ["/track/download", { simplify: false }],
])("a call of %s %j costs one trip to the tracker and one to its points", async (path, parameters) => {
  await expectCost(path, { ...range, ...parameters }, { fleet: 1, geo: 1 });
});

test.each([{}, { simplify: false, filter: false }])(
  "a track %j is read with the addresses of its ends and events in one trip more to each, beside its points",
  async (parameters) => {
    await expectCost("/track/read", { ...range, ...parameters }, { fleet: 2, geo: 2 });
  },
);

test("track/read asks its feed once for trips and open points, for a range and for one track", async () => {
  const [track] = (await account.must("/track/list", range)).list;
  const hopsOf = async (given: object) => {
    const before = await readHops();
    expect((await account.must("/track/read", { ...range, ...given })).list.length).toBeGreaterThan(0);
    return (await readHops()) - before;
  };
  // The tracker of fleet, its feed, the chunks of the database beside the addresses.
  expect([await hopsOf({}), await hopsOf({ track_id: track.id })]).toEqual([3, 3]);
});

/** Sequential waits of all calls of `/track/read` so far. */
async function readHops(): Promise<number> {
  const shown = await fetch(`${system.origin}/metrics`, { headers: { Authorization: `Bearer ${METRICS_KEY}` } });
  return Number(/^fleet_call_hops_total\{operation="\/track\/read"\} (\d+)/m.exec(await shown.text())?.[1] ?? 0);
}

test("states cost one trip, however many they are", async () => {
  const owner = await accountsOn(system).newAccount();
  const { id, source } = await owner.newTracker();
  const trackers = [id, ...(await system.addTrackers(source.id, 99))];
  expect(trackers).toHaveLength(100);
  await expectCost("/tracker/get_states", { trackers, hash: owner.hash }, { fleet: 1, geo: 0 });
});

test("without the database tracks are still listed, and points are refused before an answer has begun", async () => {
  await system.takeDown("geo");
  expect((await account.must("/track/list", range)).list.length).toBeGreaterThan(0);
  for (const simplify of [true, false]) {
    for (const path of ["/track/read", "/track/download"]) {
      expect((await account.call(path, { ...range, simplify })).status?.code).toBe(14);
    }
  }
  expect((await account.call("/track/list", { ...range, with_points: true })).status?.code).toBe(14);
  await system.bringUp("geo");
  expect((await account.must("/track/read", range)).list.length).toBeGreaterThan(0);
});

/**
 * The trips of a call, and no others. The first call warms guards and feeds up, and a feed may still write its points
 * beside the next ones: the call is repeated until it alone made trips.
 */
async function expectCost(path: string, parameters: object, { fleet, geo }: { fleet: number; geo: number }) {
  const body = JSON.stringify({ hash: account.hash, ...parameters });
  const tripsOfCall = async () => {
    await system.resetTrips();
    const response = await fetch(system.baseUrl + path, { method: "POST", body });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    return system.trips();
  };
  const expected = { gateway: 0, fleet, tasks: 0, geo, files: 0, reports: 0 };
  const isExpected = (trips: typeof expected) => isDeepStrictEqual(trips, expected);
  await waitUntil(`a call of ${path} made ${fleet} trips to fleet and ${geo} to geo`, tripsOfCall, isExpected);
}

/** An hour of driving, then ten minutes of rest. */
function pointAt(start: number, index: number) {
  const driven = Math.floor(index / 70) * 60 + Math.min(index % 70, 59);
  const [north, east] = [Math.sin(driven / 300), Math.cos(driven / 300)];
  const speed = index % 70 < 60 ? 40 : 0;
  return { time: start + index * MINUTE_MS, lat: 50 + north, lng: 8 + east, speed };
}
