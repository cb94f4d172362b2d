import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { LONG_DRIVE, longDrive, sendDrive } from "../tool/point/long-drive.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

const START = Math.floor(systemNow() / DAY_MS - 3) * DAY_MS;
const RANGE = { from: writeUtc(START - DAY_MS), to: writeUtc(START + 2 * DAY_MS) };
const TRACKERS = 12;

// Trips are counted per system, so this file has a system of its own.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;
let account: Account;
let trackers: number[];
let zone_id: number;

beforeAll(async () => {
  system = await startWatchedSystem();
  accounts = accountsOn(system);
  account = await accounts.newAccount({ time_zone: "UTC" });
  const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 300 };
  zone_id = (await account.must("/zone/create", { zone })).id;
  trackers = [];
  for (let number = 0; number < TRACKERS; number++) {
    const { id, source } = await account.newTracker();
    trackers.push(id);
    // Every second one has come no further than its feed.
    await sendDrive(accounts, source.device_id, longDrive(START, number % 2 === 0 ? LONG_DRIVE : 100));
  }
  const stored = async () => {
    const chunks = await system.rowsOf("geo", "chunk");
    return trackers.filter((id) => chunks.some(({ tracker_id }) => tracker_id === id)).length;
  };
  await waitUntil("the long drives are in the database", stored, (count) => count === TRACKERS / 2);
});

afterAll(() => system?.stop());

test("zone/visit/list and rule/try read many trackers in one trip each, and find what they find on each tracker alone", async () => {
  const rule = { type: "inoutzone", name: "Gate", zone_ids: [zone_id] };
  for (const [path, given] of [
    ["/zone/visit/list", { zone_id }],
    ["/tracker/rule/try", { rule }],
  ] as const) {
    const alone: Reply[] = [];
    for (const id of trackers) alone.push(...(await account.must(path, { ...given, trackers: [id], ...RANGE })).list);
    const { list, limit_exceeded } = await account.must(path, { ...given, trackers, ...RANGE });
    const tripsOfCall = async () => {
      await system.resetTrips();
      await account.must(path, { ...given, trackers, ...RANGE });
      return system.trips();
    };
    // The trackers and the zone side by side, then the chunks of all trackers. Feeds that still write make other trips.
    const isCheap = ({ fleet, geo }: { fleet: number; geo: number }) => fleet === 1 && geo === 2;
    await waitUntil(`a call of ${path} made one trip to fleet and two to geo`, tripsOfCall, isCheap);
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
