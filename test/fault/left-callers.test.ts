import { once } from "node:events";
import { request } from "node:http";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

// Slow databases are slow for all tests of their system, so this file has its own.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;

beforeAll(async () => {
  system = await startWatchedSystem();
  accounts = accountsOn(system);
});

afterEach(() => system.slowDown(0));

afterAll(() => system?.stop());

test("a call that only reads ends when its caller disconnects: its second read is never sent", async () => {
  const account = await accounts.newAccount({ time_zone: "UTC" });
  const { id } = await account.newTracker();
  const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 300 };
  const { id: zone_id } = await account.must("/zone/create", { zone });
  const range = { from: writeUtc(systemNow() - DAY_MS), to: writeUtc(systemNow()) };
  const given = { rule: { type: "inoutzone", name: "Gate", zone_ids: [zone_id] }, trackers: [id], ...range };
  const tripsOfTry = async () => {
    await system.resetTrips();
    await account.must("/tracker/rule/try", given);
    return (await system.trips()).geo;
  };
  await waitUntil("a trial makes two trips to the database of geo", tripsOfTry, (trips) => trips === 2);
  await system.resetTrips();
  await leaveDuringFirstTrip(account, "/tracker/rule/try", given);
  await waitUntil("the first trip has ended", system.trips, ({ geo }) => geo > 0);
  await account.must("/tracker/rule/try", given);
  expect((await system.trips()).geo).toBe(1 + 2);
});

test("a call that changes something is completed when its caller disconnects: what it has read is written", async () => {
  const account = await accounts.newAccount();
  const { id } = await account.must("/vehicle/create", { vehicle: { label: "old" }, force_reassign: false });
  await leaveDuringFirstTrip(account, "/vehicle/update", { vehicle: { id, label: "new" } });
  const labelOf = async () => (await account.must("/vehicle/read", { vehicle_id: id })).value.label;
  expect(await waitUntil("the vehicle is renamed", labelOf, (label) => label !== "old")).toBe("new");
});

/** Makes a call on slow databases, and resets its connection while it waits for the first of them. */
async function leaveDuringFirstTrip(account: Account, path: string, parameters: object) {
  await account.must("/base/nothing");
  await system.slowDown(4000);
  const headers = { "Content-Type": "application/json" };
  const left = request(system.baseUrl + path, { method: "POST", headers }).on("error", () => undefined);
  left.end(JSON.stringify({ hash: account.hash, ...parameters }));
  await once(left, "finish");
  // Each is answered without a database: by then the call that was sent before them has reached its service.
  for (let count = 0; count < 20; count++) await account.must("/base/nothing");
  left.socket?.resetAndDestroy();
  await account.must("/base/nothing");
  await system.slowDown(0);
}
