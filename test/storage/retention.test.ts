import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodePoints } from "../../services/geo/src/point/codec.ts";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS, SECOND_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { CHUNK_COLUMNS, FLUSHED } from "../tool/point/archived-points.ts";
import { pointAt } from "../tool/point/made.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

// A sweep goes through all accounts, so this file has a system of its own.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;

beforeAll(async () => {
  const days = {
    RETENTION_GRACE_DAYS: "30",
    EVENT_DAYS: "100",
    AUDIT_DAYS: "100",
    REMOVED_TRACKER_DAYS: "20",
    ARCHIVE_DAYS: "0",
    AUDIT_DELAY_SECONDS: "0.05",
  };
  system = await startWatchedSystem(days);
  accounts = accountsOn(system);
});

afterAll(() => system?.stop());

const ago = (days: number) => Math.floor(systemNow() / SECOND_MS) * SECOND_MS - days * DAY_MS;

function drive(days: number) {
  const start = ago(days);
  return Array.from({ length: FLUSHED }, (_, index) => ({
    time: start + index * 10 * SECOND_MS,
    lat: 40 + index * 0.0009,
    lng: 8,
    speed: 36,
  }));
}

/** A tracker whose plan keeps 30 days, and what can be seen of it. */
async function newTracker(account: Account) {
  const { id, source } = await account.newTracker();
  const tracker_id = Number(id);
  return {
    tracker_id,
    source,
    chunks: () => chunksOf(tracker_id),
    async send(days: number) {
      const before = (await chunksOf(tracker_id)).length;
      const points = drive(days);
      for (let start = 0; start < FLUSHED; start += 1000) {
        const part = points.slice(start, start + 1000);
        expect(await accounts.feed(source.device_id, part)).toMatchObject({ accepted: 1000 });
      }
      await waitUntil(
        "the drive is in the database",
        () => chunksOf(tracker_id),
        ({ length }) => length > before,
      );
    },
    async odometer() {
      return (await account.must("/tracker/counter/value/get", { tracker_id, type: "odometer" })).value as number;
    },
    async trips(days: number) {
      const range = { from: local(ago(days + 1)), to: local(ago(days - 2)) };
      return (await account.must("/track/list", { tracker_id, ...range })).list.map(({ points }: Reply) => points);
    },
  };
}

function local(ms: number) {
  return writeLocal(ms, "Europe/Berlin");
}

/** The moments at which they end. */
async function chunksOf(tracker_id: number): Promise<number[]> {
  const chunk = await system.rowsOf("geo", "chunk", { tracker_id });
  return chunk.map(({ to }) => Number(to));
}

/** Chunks of a point each that no feed wrote, a second apart. */
function plantChunks(account_id: number, tracker_id: number, count: number) {
  const data = Buffer.from(encodePoints([pointAt(0)], "deflated")).toString("hex");
  const sql = `INSERT INTO chunk (${CHUNK_COLUMNS})
    SELECT NULL, ?1, ?2, at, 50, 8, at, 50, 8, 1, 0, 0, 0, 50, 8, 50, 8, ${data.length / 2}, 1000, place, x'${data}', NULL, NULL
    FROM (WITH RECURSIVE one (place) AS (SELECT 1 UNION ALL SELECT place + 1 FROM one WHERE place < ?3)
      SELECT place, ?4 + place * 1000 AS at FROM one)`;
  return system.change("geo", sql, account_id, tracker_id, count, ago(400));
}

test("a sweep removes points out of the plan's period; counters and younger trips stay", async () => {
  const account = await accounts.newAccount({ plan: { store_period: "30d" } });
  const van = await newTracker(account);
  await van.send(100);
  const set = { tracker_id: van.tracker_id, type: "odometer", value: 1000 };
  await account.must("/tracker/counter/value/set", set);
  await van.send(50);
  await van.send(10);
  const before = { odometer: await van.odometer(), trips: await van.trips(10) };
  expect(before.odometer).toBeGreaterThan(1900);
  expect(before.trips).toEqual([FLUSHED]);

  await account.changeTariff({ store_period: "1y" });
  expect([await van.trips(100), await van.trips(50)]).toEqual([[FLUSHED], [FLUSHED]]);
  await system.fireCron("geo");
  expect(await van.chunks()).toHaveLength(12);
  // The chunks stay in the database: none is archived.
  expect((await system.rowsOf("geo", "chunk")).filter(({ object }) => object !== null)).toEqual([]);

  await account.changeTariff({ store_period: "30d" });
  expect([await van.trips(100), await van.trips(50)]).toEqual([[], []]);
  await system.fireCron("geo");
  const left = await van.chunks();
  expect(left).toHaveLength(8);
  expect(Math.min(...left)).toBeGreaterThan(ago(51));
  expect(await van.odometer()).toBe(before.odometer);
  expect(await van.trips(10)).toEqual(before.trips);

  await system.evictObjects();
  await account.changeTariff({ store_period: "1y" });
  expect(await van.odometer()).toBe(before.odometer);
  expect([await van.trips(100), await van.trips(50), await van.trips(10)]).toEqual([[], [FLUSHED], [FLUSHED]]);

  // Trips are found anew from where the points begin, and what is driven goes on.
  const idle = { tracker_id: van.tracker_id, min_idle_duration_minutes: 6, idle_speed_threshold: 3 };
  const settings = { ignition_aware: false, motion_sensor_aware: false };
  await account.must("/tracker/settings/trip_detection/update", { ...idle, ...settings });
  expect([await van.trips(50), await van.trips(10)]).toEqual([[FLUSHED], [FLUSHED]]);
  await van.send(5);
  expect(await van.odometer()).toBeGreaterThan(before.odometer + 450);
});

test("a tracker whose points have all gone counts on, and takes late ones", async () => {
  const account = await accounts.newAccount({ plan: { store_period: "30d" } });
  const van = await newTracker(account);
  await van.send(100);
  await account.must("/tracker/counter/value/set", { tracker_id: van.tracker_id, type: "odometer", value: 7 });
  await system.fireCron("geo");
  await system.evictObjects();
  expect(await van.chunks()).toEqual([]);
  expect(await van.odometer()).toBe(7);
  await account.must("/tracker/counter/value/set", { tracker_id: van.tracker_id, type: "odometer", value: 50 });
  expect(await van.odometer()).toBe(50);

  await van.send(120);
  await van.send(10);
  expect(await van.trips(10)).toEqual([FLUSHED]);
  const odometer = await van.odometer();
  expect(odometer).toBeGreaterThan(500);
  await system.fireCron("geo");
  expect(await van.chunks()).toHaveLength(4);
  expect(await van.odometer()).toBeCloseTo(odometer, 6);
});

test("a sweep that is cut off before the database has heard of it leaves nothing half done", async () => {
  const account = await accounts.newAccount({ plan: { store_period: "30d" } });
  const van = await newTracker(account);
  await van.send(100);
  await van.send(10);
  const odometer = await van.odometer();
  await system.resetTrips();
  await system.slowDown(1000);
  const swept = system.fireCron("geo").catch(() => "failed");
  // The feed is on its way to delete them.
  await waitUntil("the sweep has asked fleet", system.trips, ({ fleet }) => fleet > 0);
  await system.takeDown("geo");
  expect(await swept).toBe("failed");
  await system.slowDown(0);
  await system.bringUp("geo");
  await system.evictObjects();
  expect(await van.chunks()).toHaveLength(8);
  expect(await van.odometer()).toBe(odometer);

  await system.fireCron("geo");
  await system.evictObjects();
  expect(await van.chunks()).toHaveLength(4);
  expect(await van.odometer()).toBe(odometer);
  expect(await van.trips(10)).toEqual([FLUSHED]);
});

test("an account with 12,000 old chunks keeps nobody waiting, loses a part a sweep, and nothing that is younger", async () => {
  const [large, small] = await Promise.all([1, 2].map(() => accounts.newAccount({ plan: { store_period: "30d" } })));
  if (!large || !small) throw new Error("two accounts were made");
  const [van, one] = [await newTracker(large), await newTracker(small)];
  await van.send(10);
  await plantChunks(large.id, van.tracker_id, 12_000);
  await plantChunks(small.id, one.tracker_id, 1);
  // The feeds did not write these chunks: the first sweep makes them read their chunks again.
  await system.fireCron("geo");
  await system.fireCron("geo");
  expect(await one.chunks()).toEqual([]);
  const left = (await van.chunks()).length;
  expect(left).toBeGreaterThan(12_000 - 500);
  expect(left).toBeLessThan(12_004);

  // Two sweeps at once remove at most two batches of 200 chunks.
  await Promise.all([system.fireCron("geo"), system.fireCron("geo")]);
  const both = (await van.chunks()).length;
  expect(both).toBeGreaterThanOrEqual(left - 400);
  expect(both).toBeLessThan(left);
  for (let sweep = 0; sweep < 5; sweep++) await system.fireCron("geo");
  expect((await van.chunks()).length).toBe(both - 1000);
  // The rest of the way is the same; the last steps are not.
  const almost = "DELETE FROM chunk WHERE tracker_id = ? AND flush = 1000 AND part <= 11900";
  await system.change("geo", almost, van.tracker_id);
  for (let sweep = 0; sweep < 3; sweep++) await system.fireCron("geo");
  expect(await van.chunks()).toHaveLength(4);
  expect(await van.trips(10)).toEqual([FLUSHED]);
});

test("old events are out of reach at once, and go part by part, accounts in turn", async () => {
  const [large, small] = [await accounts.newAccount(), await accounts.newAccount()];
  const [van, one] = [await large.newTracker(), await small.newTracker()];
  const event = (account: Account, { id }: Reply, days: number, label: string) => {
    const place = { event: "inzone" as const, location: { lat: 40, lng: 8 }, is_silent: true };
    return {
      event_id: randomUUID(),
      account_id: account.id,
      tracker_id: Number(id),
      time: ago(days),
      message: label,
      ...place,
    };
  };
  for (let part = 0; part < 3; part++) {
    await system.storeEvents(Array.from({ length: 500 }, (_, index) => event(large, van, 101 + index, "Old")));
  }
  await system.storeEvents([
    event(large, van, 99, "Young"),
    event(small, one, 101, "Old"),
    event(small, one, 99, "Young"),
  ]);
  const rows = async (account: Account) => {
    const event = await system.rowsOf("fleet", "event", { account_id: account.id });
    return event.map(({ message }) => message);
  };
  const [old] = await system.rowsOf("fleet", "event", { message: "Old" });
  const range = { from: local(ago(150)), to: local(ago(61)) };
  const seen = async (account: Account) => (await account.must("/history/user/list", range)).list;
  expect((await seen(large)).map(({ message }: Reply) => message)).toEqual(["Van 7: Young"]);
  expect((await large.call("/history/read", { id: old?.id })).status.code).toBe(201);
  expect((await large.must("/history/unread/count")).count).toBe(1);
  expect(await rows(large)).toHaveLength(1501);

  await system.fireCron("fleet");
  expect(await rows(small)).toEqual(["Young"]);
  expect((await rows(large)).length).toBeGreaterThan(500);
  await Promise.all([system.fireCron("fleet"), system.fireCron("fleet")]);
  expect(await rows(large)).toEqual(["Young"]);
});

test("old entries of the audit log are out of reach at once, and go with a sweep", async () => {
  const account = await accounts.newAccount();
  await account.must("/vehicle/create", { vehicle: { label: "Old" } });
  const rows = () => system.rowsOf("gateway", "audit", { account_id: account.id });
  const isThere = (list: Record<string, unknown>[]) => list.some((row) => row.entry_category === "vehicle");
  await waitUntil("the entry is stored", rows, isThere);
  const sql = "UPDATE audit SET action_date = ? WHERE account_id = ? AND entry_category = 'vehicle'";
  await system.change("gateway", sql, ago(101), account.id);
  const count = (await rows()).length;
  const range = { from: local(ago(150)), to: local(ago(61)) };
  const list = async () => (await account.must("/user/audit/log/list", range)).list;
  expect(await list()).toEqual([]);
  await system.change("gateway", sql, ago(99), account.id);
  expect(await list()).toHaveLength(1);
  await system.fireCron("gateway");
  expect(await rows()).toHaveLength(count);
  await system.change("gateway", sql, ago(101), account.id);
  await system.fireCron("gateway");
  expect(await rows()).toHaveLength(count - 1);
});

test("a removed tracker's points, events and feed go after their time, and not those of others", async () => {
  const account = await accounts.newAccount();
  const [gone, other] = [await newTracker(account), await newTracker(account)];
  await gone.send(10);
  await other.send(10);
  const events = [gone, other].map(({ tracker_id }) => ({
    ...{ event_id: randomUUID(), account_id: account.id, tracker_id, time: ago(1), message: `Of ${tracker_id}` },
    ...{ event: "inzone" as const, location: { lat: 40, lng: 8 } },
  }));
  await system.storeEvents(events);
  const hash = await accounts.operatorHash();
  await accounts.must("/panel/tracker/corrupt", { hash, tracker_id: gone.tracker_id });
  const sweep = async () => {
    await system.fireCron("fleet");
    await system.fireCron("fleet");
  };
  const range = { from: local(ago(2)), to: local(ago(0)) };
  const seen = async () =>
    (await account.must("/history/user/list", range)).list.map(({ message }: Reply) => message).sort();
  await sweep();
  expect(await gone.chunks()).toHaveLength(4);
  expect(await seen()).toEqual(events.map(({ message }) => `Van 7: ${message}`).sort());

  const sql = "UPDATE removed_tracker SET removed_at = removed_at - ? WHERE id = ?";
  await system.change("fleet", sql, 21 * DAY_MS, gone.tracker_id);
  expect(await seen()).toEqual([`Van 7: ${events[1]?.message}`]);
  // Geo is away: nothing is taken for gone.
  await system.takeDown("geo");
  await system.fireCron("fleet").catch(() => undefined);
  await system.bringUp("geo");
  expect(await system.rowsOf("fleet", "removed_tracker")).toMatchObject([{ id: gone.tracker_id, is_erased: 0 }]);
  await sweep();
  expect([await gone.chunks(), (await other.chunks()).length]).toEqual([[], 4]);
  expect([await system.isErased(gone.tracker_id), await system.isErased(other.tracker_id)]).toEqual([true, false]);
  const [event, removed_tracker] = await Promise.all([
    system.rowsOf("fleet", "event", { account_id: account.id }),
    system.rowsOf("fleet", "removed_tracker"),
  ]);
  expect(event).toMatchObject([{ tracker_id: other.tracker_id }]);
  expect(removed_tracker).toMatchObject([{ id: gone.tracker_id, is_erased: 1 }]);
});
