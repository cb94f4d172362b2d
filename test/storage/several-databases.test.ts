import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { LONG_DRIVE, longDrive, sendDrive } from "../tool/point/long-drive.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

const START = Math.floor(systemNow() / DAY_MS - 3) * DAY_MS;
const RANGE = { from: writeUtc(START - DAY_MS), to: writeUtc(START + DAY_MS - 1000) };
const TRACKERS = 6;

// Trips are counted per system, so this file has a system of its own.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;
let account: Account;
let trackers: { id: number; device_id: string }[];
let ids: number[];

beforeAll(async () => {
  system = await startWatchedSystem({ GEO_DATABASES: "3", ARCHIVE_DAYS: "20" });
  accounts = accountsOn(system);
  account = await accounts.newAccount({ time_zone: "UTC" });
  trackers = await newTrackers(account, TRACKERS);
  ids = trackers.map(({ id }) => id);
});

afterAll(() => system?.stop());

/** In which databases points of each tracker are. */
async function homes(): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>();
  for (const place of [1, 2, 3]) {
    const chunk = await system.rowsAt(place, "chunk");
    for (const id of new Set(chunk.map(({ tracker_id }) => Number(tracker_id)))) {
      found.set(id, [...(found.get(id) ?? []), place]);
    }
  }
  return found;
}

/** Makes trackers with the same drive, and waits until a part of each is in the databases. */
async function newTrackers(account: Account, count: number, start = START) {
  const made: { id: number; device_id: string }[] = [];
  while (made.length < count) {
    const { id, source } = await account.newTracker();
    made.push({ id, device_id: source.device_id });
    await sendDrive(accounts, source.device_id, longDrive(start));
  }
  const areStored = async () => {
    const places = await homes();
    return made.every(({ id }) => places.has(id));
  };
  await waitUntil("all drives are in the databases", areStored);
  return made;
}

/** A tracker whose points are in the database with this position. */
function trackerAt(place: number) {
  const found = trackers.find(({ id }) => 1 + (id % 3) === place);
  if (!found) throw new Error(`No tracker is in database ${place}.`);
  return found;
}

test("points of a tracker are in one database, and the databases have as many trackers each", async () => {
  const places = await homes();
  expect(ids.map((id) => places.get(id))).toEqual(ids.map((id) => [1 + (id % 3)]));
});

test("zone/visit/list and rule/try find on trackers of all databases what they find on each alone, in two sequential trips", async () => {
  const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 300 };
  const { id: zone_id } = await account.must("/zone/create", { zone });
  const rule = { type: "inoutzone", name: "Gate", zone_ids: [zone_id] };
  for (const [path, given] of [
    ["/zone/visit/list", { zone_id }],
    ["/tracker/rule/try", { rule }],
  ] as const) {
    const alone: Reply[] = [];
    for (const id of ids) alone.push(...(await account.must(path, { ...given, trackers: [id], ...RANGE })).list);
    const ofFirst = alone.filter(({ tracker_id }) => tracker_id === ids[0]);
    expect(ofFirst.length).toBeGreaterThan(5);
    expect(alone).toEqual(ids.flatMap((tracker_id) => ofFirst.map((found) => ({ ...found, tracker_id }))));
    await system.slowDown(100);
    await system.resetTrips();
    const { list } = await account.must(path, { ...given, trackers: ids, ...RANGE });
    expect(await system.sequentialTrips(), path).toBe(2);
    // The zone in the first, and chunks in each.
    expect(await system.trips(), path).toMatchObject({ geo: 4 });
    await system.slowDown(0);
    expect(list).toEqual(alone);
  }
});

test("tracks, reports and mileage of trackers with the same drive are the same from each database", async () => {
  const tracks: Reply[] = [];
  for (const tracker_id of ids) {
    const { list } = await account.must("/track/read", { tracker_id, ...RANGE, simplify: false, filter: false });
    const mileage = await account.must("/tracker/stats/mileage/read", { trackers: [tracker_id], ...RANGE });
    tracks.push({ list, mileage: Object.values(mileage.result) });
  }
  expect(tracks[0]?.list).toHaveLength(LONG_DRIVE);
  for (const track of tracks) expect(track).toEqual(tracks[0]);

  const plugin = { plugin_id: 4, show_seconds: true };
  const time_filter = { from: "00:00:00", to: "23:59:59", weekdays: [1, 2, 3, 4, 5, 6, 7] };
  const asked = { title: "Trips", trackers: ids, ...RANGE, time_filter, plugin };
  const { id: report_id } = await account.must("/report/tracker/generate", asked);
  const status = () => account.must("/report/tracker/status", { report_id });
  await waitUntil("the report is finished", status, ({ percent_ready }) => percent_ready === 100);
  const { report } = await account.must("/report/tracker/retrieve", { report_id });
  // The first is of all together.
  const sections = report.sheets.slice(1).map(({ sections }: Reply) => sections);
  expect(sections).toHaveLength(TRACKERS);
  expect(JSON.stringify(sections[0]).length).toBeGreaterThan(500);
  for (const section of sections) expect(section).toEqual(sections[0]);
});

test("a database that is away is named by /health, makes calls for its own trackers 14, and loses no points", async () => {
  const late = { time: START + DAY_MS, lat: 50, lng: 8 };
  const [lost, other] = [trackerAt(2), trackerAt(3)];
  const track = (tracker_id: number) =>
    account.call("/track/read", { tracker_id, ...RANGE, to: writeUtc(late.time), simplify: false, filter: false });
  await system.takeDownOf(2);
  const health = await fetch(`${system.origin}/health`);
  expect(health.status).toBe(503);
  expect((await health.json()) as Reply).toMatchObject({ services: { geo: "database 2 unavailable", fleet: "ok" } });
  expect((await track(lost.id)).status.code).toBe(14);
  expect((await track(other.id)).list).toHaveLength(LONG_DRIVE);
  for (const { device_id } of [lost, other]) expect((await accounts.feed(device_id, [late])).accepted).toBe(1);
  await system.bringUp("geo");
  expect((await fetch(`${system.origin}/health`)).status).toBe(200);
  for (const { id } of [lost, other]) expect((await track(id)).list).toHaveLength(LONG_DRIVE + 1);
});

test("a removed account leaves nothing in any of the databases", async () => {
  const [hash, leaving] = [await accounts.operatorHash(), await accounts.newAccount()];
  const gone = (await newTrackers(leaving, 3)).map(({ id }) => id);
  await accounts.must("/panel/user/corrupt", { hash, user_id: leaving.id, login: leaving.login });
  for (const worker of ["gateway", "fleet", "fleet"] as const) await system.fireCron(worker);
  const places = await homes();
  expect(gone.filter((id) => places.has(id))).toEqual([]);
  expect(ids.filter((id) => !places.has(id))).toEqual([]);
  for (const id of gone) expect(await system.isErased(id)).toBe(true);
});

test("points out of their plan's period go from all databases", async () => {
  const brief = await accounts.newAccount({ plan: { store_period: "30d" } });
  const old = await newTrackers(brief, 3, START - 100 * DAY_MS);
  await system.fireCron("geo");
  const places = await homes();
  expect(old.filter(({ id }) => places.has(id))).toEqual([]);
  expect(ids.filter((id) => !places.has(id))).toEqual([]);
});
