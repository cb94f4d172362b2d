import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { LONG, longDrive, sendDrive, written } from "../tool/point/long-drive.ts";
import { startWatchedSystem } from "../tool/system/system.ts";

const START = Math.floor(systemNow() / DAY_MS - 3) * DAY_MS;
const RANGE = { from: written(START - DAY_MS), to: written(START + 2 * DAY_MS) };
const TRACKERS = 12;

// All calls to a system are counted together: this one is nobody else's.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;
let account: Account;
let trackers: number[];
let zone_id: number;

beforeAll(async () => {
  system = await startWatchedSystem({ AUDIT_DELAY_SECONDS: "3600" });
  accounts = accountsOn(system);
  account = await accounts.newAccount({ time_zone: "UTC" });
  const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 300 };
  zone_id = (await account.must("/zone/create", { zone })).id;
  trackers = [];
  for (let number = 0; number < TRACKERS; number++) {
    const { id, source } = await account.newTracker();
    trackers.push(id);
    // Every second one has come no further than its feed.
    await sendDrive(accounts, source.device_id, longDrive(START, number % 2 === 0 ? LONG : 100));
  }
  const chunks = async () => (await system.contentOf("geo")).chunk?.length ?? 0;
  await vi.waitUntil(async () => (await chunks()) >= TRACKERS / 2, { timeout: 30_000, interval: 500 });
  await untilQuiet();
});

afterAll(() => system?.stop());

test("the points of many trackers are read together, and what is found is what is found on each alone", async () => {
  const rule = { type: "inoutzone", name: "Gate", zone_ids: [zone_id] };
  for (const [path, given] of [
    ["/zone/visit/list", { zone_id }],
    ["/tracker/rule/try", { rule }],
  ] as const) {
    const alone: Reply[] = [];
    for (const id of trackers) alone.push(...(await account.must(path, { ...given, trackers: [id], ...RANGE })).list);
    await system.resetTrips();
    const { list, limit_exceeded } = await account.must(path, { ...given, trackers, ...RANGE });
    // Side by side the trackers and the zone, then the chunks of all.
    expect(await system.trips(), path).toMatchObject({ fleet: 1, geo: 2 });
    expect(list).toEqual(alone);
    expect(new Set(list.map(({ tracker_id }: Reply) => tracker_id)).size).toBe(TRACKERS);
    expect(limit_exceeded).toBe(false);
    const [half, rest] = [Math.floor(alone.length / 2), alone.length];
    const first = await account.must(path, { ...given, trackers, ...RANGE, limit: half });
    const second = await account.must(path, { ...given, trackers, ...RANGE, limit: rest, offset: half });
    expect([...first.list, ...second.list]).toEqual(alone);
    expect([first.limit_exceeded, second.limit_exceeded]).toEqual([true, false]);
  }
});

/** What goes on behind answers is no part of the next call. */
async function untilQuiet() {
  const count = async () => Object.values(await system.trips()).reduce((sum, one) => sum + one);
  for (let before = -1, now = 0; before !== now; now = await count()) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }
}
