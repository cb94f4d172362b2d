import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import type { Account, Reply } from "../tool/call/account.ts";
import { archiveOn, FLUSHED, monthAgo, positionAt, seenOf } from "../tool/point/archived-points.ts";
import { METRICS_KEY } from "../tool/system/operator.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

const RECENT = Math.floor(systemNow() / 1000) * 1000 - 5 * DAY_MS;

// A sweep goes through all accounts, so this file has a system of its own.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let archive: ReturnType<typeof archiveOn>;

beforeAll(async () => {
  system = await startWatchedSystem({ ARCHIVE_DAYS: "20", REMOVED_TRACKER_DAYS: "20" });
  archive = archiveOn(system);
});

afterAll(() => system?.stop());

const newAccount = (plan: object = {}) => archive.accounts.newAccount({ time_zone: "UTC", plan });
const objectsIn = (prefix: string) => system.archive({ prefix });
const isArchived = ({ object, data }: Reply) => object !== null && data === 0;

async function sweepUntilArchived(tracker_id: number, rows: number) {
  for (let sweep = 0; sweep < 4; sweep++) await system.fireCron("geo");
  expect((await archive.rowsOf(tracker_id)).filter(isArchived)).toHaveLength(rows);
}

/** The number of successive answers that trials of rules have waited for so far. */
async function hops() {
  const shown = await fetch(`${system.origin}/metrics`, { headers: { Authorization: `Bearer ${METRICS_KEY}` } });
  return Number(/^fleet_call_hops_total\{operation="\/tracker\/rule\/try"\} (\d+)/m.exec(await shown.text())?.[1]);
}

async function hopsOf(work: () => Promise<unknown>) {
  const before = await hops();
  await work();
  return (await hops()) - before;
}

test("months of long ago move to one object each, and every reader sees the same with one trip more for each page", async () => {
  const account = await newAccount();
  const van = await archive.newTracker(account);
  const drives = [monthAgo(3), monthAgo(2), RECENT];
  for (const start of drives) await van.drive(start);
  await van.drive(RECENT + DAY_MS);
  const seen = () => Promise.all(drives.map((start) => seenOf(account, van.tracker_id, start)));
  const before = await seen();
  for (const { trips, points, events, speeding } of before) {
    expect([trips.length, points.length, events.length]).toEqual([1, FLUSHED, 2]);
    expect(speeding).not.toEqual([]);
  }
  const [old = 0] = drives;
  const near = await hopsOf(() => van.tryRule(old));

  await sweepUntilArchived(van.tracker_id, 8);
  const rows = await van.rows();
  expect(rows.filter(({ object }) => object === null)).toHaveLength(rows.length - 8);
  for (const { data, bytes, object } of rows) expect(data).toBe(object === null ? bytes : 0);
  expect(await objectsIn(van.folder)).toHaveLength(2);
  await system.evictObjects();
  expect(await seen()).toEqual(before);
  expect(await hopsOf(() => van.tryRule(old))).toBe(near + 1);
  expect(await hopsOf(() => van.tryRule(RECENT + DAY_MS))).toBe(near);

  // Trips are found anew from archived points.
  const idle = { tracker_id: van.tracker_id, min_idle_duration_minutes: 6, idle_speed_threshold: 3 };
  const settings = { ignition_aware: false, motion_sensor_aware: false };
  await account.must("/tracker/settings/trip_detection/update", { ...idle, ...settings });
  const pointsOf = ({ trips }: { trips: Reply[] }) => trips.map(({ points }: Reply) => points);
  expect((await seen()).map(pointsOf)).toEqual(before.map(pointsOf));
});

test("late points change an archived chunk, which then moves again; what is there already stays a duplicate", async () => {
  const account = await newAccount();
  const van = await archive.newTracker(account);
  const start = monthAgo(2);
  await van.drive(start);
  await sweepUntilArchived(van.tracker_id, 4);
  const [first] = await objectsIn(van.folder);
  await system.evictObjects();
  const late = { ...positionAt(start, 700), time: start + 7_003_000 };
  expect(await van.send([positionAt(start, 700), late])).toMatchObject({ accepted: 1, duplicates: 1 });
  expect(await van.points(start)).toHaveLength(FLUSHED + 1);
  await van.drive(RECENT);
  await waitUntil("the late point is in a chunk of the database", van.rows, (rows) =>
    rows.some(({ from, object }) => from === start && object === null),
  );
  const odometer = await van.odometer();
  expect(await van.points(start)).toHaveLength(FLUSHED + 1);

  await sweepUntilArchived(van.tracker_id, 4);
  const objects = await objectsIn(van.folder);
  expect(objects).toHaveLength(2);
  expect(objects).toContain(first);
  await system.evictObjects();
  expect(await van.points(start)).toHaveLength(FLUSHED + 1);
  expect(await van.odometer()).toBe(odometer);
  expect(await van.send([late])).toMatchObject({ accepted: 0, duplicates: 1 });
});

test("a sweep archives some 3 MB of a tracker, and an account with many trackers does not hold up another", async () => {
  const [large, small] = [await newAccount(), await newAccount()];
  const [heavy, one] = [await archive.newTracker(large), await archive.newTracker(small)];
  await archive.plant(large, heavy.tracker_id, { count: 7, bytes: 1_000_000 });
  await archive.plant(small, one.tracker_id, { count: 1, bytes: 1000 });
  // Nobody's, as far as fleet knows: they are looked at all the same.
  const crowd = Array.from({ length: 70 }, (_, index) => 5_000_000 + index);
  await archive.plant(large, 5_000_000, { count: 1, bytes: 1000 });
  const changed = { id: "NULL", tracker_id: "tracker_id + n" };
  await system.copyRow("geo", { table: "chunk", where: { tracker_id: 5_000_000 }, count: 69, changed });
  const archived = async (ids: number[]) => {
    const chunk = await system.rowsOf("geo", "chunk");
    return chunk.filter(({ tracker_id, object }) => object !== null && ids.includes(Number(tracker_id))).length;
  };
  await system.fireCron("geo");
  expect(await archived([one.tracker_id])).toBe(1);
  expect([await archived([heavy.tracker_id]), await archived(crowd)]).toEqual([3, 48]);
  await system.fireCron("geo");
  expect(await archived(crowd)).toBe(70);
  for (let sweep = 0; sweep < 2; sweep++) await system.fireCron("geo");
  expect(await archived([heavy.tracker_id])).toBe(7);
  expect(await objectsIn(heavy.folder)).toHaveLength(3);
});

test("two sweeps at once move everything once, and leave nothing behind", async () => {
  const account = await newAccount();
  const van = await archive.newTracker(account);
  const start = monthAgo(2);
  await van.drive(start);
  const before = await van.points(start);
  await system.slowDown(50);
  await Promise.all([1, 2, 3].map(() => system.fireCron("geo")));
  await system.slowDown(0);
  const rows = await van.rows();
  expect(rows.filter(isArchived)).toHaveLength(4);
  const named = new Set(rows.map(({ object }) => `${van.folder}${object}`));
  expect(await objectsIn(van.folder)).toEqual([...named]);
  await system.evictObjects();
  expect(await van.points(start)).toEqual(before);
});

test("a sweep whose answer is lost has moved the points all the same", async () => {
  const account = await newAccount();
  const van = await archive.newTracker(account);
  const start = monthAgo(2);
  await van.drive(start);
  const before = await van.points(start);
  await cutOff(account, van.folder, () => system.loseAnswers("geo"));
  expect((await van.rows()).filter(isArchived)).toHaveLength(4);
  expect(await objectsIn(van.folder)).toHaveLength(1);
  await system.evictObjects();
  expect(await van.points(start)).toEqual(before);
});

test("a sweep that dies between the object and the rows leaves the points where they were; the next one moves them", async () => {
  const account = await newAccount();
  const van = await archive.newTracker(account);
  const start = monthAgo(2);
  await van.drive(start);
  const before = await van.points(start);
  await cutOff(account, van.folder, () => system.takeDown("geo"));
  expect((await van.rows()).filter(isArchived)).toEqual([]);
  expect(await objectsIn(van.folder)).toHaveLength(1);
  expect(await van.points(start)).toEqual(before);
  await sweepUntilArchived(van.tracker_id, 4);
  expect(await objectsIn(van.folder)).toHaveLength(2);
  await system.evictObjects();
  expect(await van.points(start)).toEqual(before);
});

/** Does something to the database once the object is written, while the rows are about to be changed. */
async function cutOff(account: Account, folder: string, befall: () => Promise<unknown>) {
  await system.slowDown(1500);
  const swept = system.fireCron("geo").catch(() => "failed");
  await waitUntil(
    "the object is written",
    () => objectsIn(folder),
    ({ length }) => length > 0,
  );
  await befall();
  await swept;
  // A trip that begins now ends after all those of the sweep that are still slowed down.
  await account.call("/place/list");
  await system.slowDown(0);
  await system.bringUp("geo");
}

test("lost or damaged objects of the archive are 6 to their readers alone, and never read as fewer points", async () => {
  const account = await newAccount();
  const start = monthAgo(2);
  for (const change of ["remove", "shorten", "damage"] as const) {
    const van = await archive.newTracker(account);
    await van.drive(start);
    await van.drive(RECENT);
    await van.drive(RECENT + DAY_MS);
    await sweepUntilArchived(van.tracker_id, 4);
    await system.evictObjects();
    await system.archive({ prefix: van.folder, change });
    const lost = await van.read(start);
    expect([lost.success, lost.status?.code, lost.list], change).toEqual([false, 6, undefined]);
    expect((await van.read(RECENT + DAY_MS)).success, change).toBe(true);
  }
  const logs = (await system.logs()).map(({ message }) => message).join("\n");
  expect(logs).toContain(`the archive has not all of ${account.id}/`);
  expect(logs).toContain("wrong checksum");
});

test("points out of the plan's period leave the archive, and so do those of a removed tracker", async () => {
  const account = await newAccount();
  const [van, gone] = [await archive.newTracker(account), await archive.newTracker(account)];
  for (const start of [monthAgo(5), monthAgo(2)]) await van.drive(start);
  await gone.drive(monthAgo(2));
  await sweepUntilArchived(van.tracker_id, 8);
  await sweepUntilArchived(gone.tracker_id, 4);
  const odometer = await van.odometer();
  // Mileage is counted from the first point that is left.
  const times = async () => (await van.points(monthAgo(2))).map(({ get_time }) => get_time);
  const [all, before] = [await objectsIn(van.folder), await times()];
  expect(all).toHaveLength(2);
  await account.changeTariff({ store_period: "75d" });
  await system.fireCron("geo");
  expect(await van.rows()).toHaveLength(4);
  const left = await objectsIn(van.folder);
  expect(left).toHaveLength(1);
  expect(all).toEqual(expect.arrayContaining(left));
  expect(await van.odometer()).toBe(odometer);
  await account.changeTariff({ store_period: "1y" });
  expect(await times()).toEqual(before);

  await remove(account, gone.tracker_id);
  expect([await gone.rows(), await objectsIn(gone.folder)]).toEqual([[], []]);
  expect(await objectsIn(van.folder)).toEqual(left);
});

async function remove(account: Account, tracker_id: number) {
  const hash = await archive.accounts.operatorHash();
  await archive.accounts.must("/panel/tracker/corrupt", { hash, tracker_id });
  await system.fireCron("fleet");
  const sql = "UPDATE removed_tracker SET removed_at = removed_at - ? WHERE id = ? AND account_id = ?";
  await system.change("fleet", sql, 21 * DAY_MS, tracker_id, account.id);
  for (let sweep = 0; sweep < 2; sweep++) await system.fireCron("fleet");
}
