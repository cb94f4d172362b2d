import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { nobody, type Principal } from "../../shared/caller/principal.ts";
import { type Account, type Accounts, accountsOn, type Reply, UNKNOWN_ID } from "../tool/call/account.ts";
import { AMPLE_LIMITS } from "../tool/call/ample-limits.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

// Databases that are slow or lose answers are so for every test of their system: this file has its own.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;

beforeAll(async () => {
  system = await startWatchedSystem();
  accounts = accountsOn(system);
});

afterEach(async () => {
  await system.slowDown(0);
  await system.bringUp("fleet");
});

afterAll(() => system?.stop());

test("writes that wait for the same turn go in one trip", async () => {
  const account = await accounts.newAccount();
  await create(account, "warm");
  // The first to come goes alone; the others are there before it is back, also on a slow machine.
  await system.slowDown(2000);
  await system.resetTrips();
  await Promise.all(Array.from({ length: 21 }, (_, index) => create(account, `Van ${index}`)));
  expect((await system.trips()).fleet).toBe(2);
});

test("writes that share a trip are transactions of their own: one that is refused fails no other", async () => {
  const account = await accounts.newAccount();
  const { id: tracker_id } = await account.newTracker();
  const make = (label: string, members = {}) =>
    account.call("/vehicle/create", { vehicle: { label, ...members }, force_reassign: false });
  await system.slowDown(500);
  const replies = await Promise.all([
    make("first", { tracker_id }),
    make("second", { tracker_id }),
    make("third", { garage_id: UNKNOWN_ID }),
    make("fourth"),
  ]);
  await system.slowDown(0);
  // The first of the two vehicles has the tracker.
  expect(replies.map(({ success, status }: Reply) => (success ? 0 : status.code)).toSorted()).toEqual([0, 0, 247, 7]);
  expect(await labelsOf(account)).toHaveLength(2);
});

test("writes that wait behind a caller's write are done also after that caller has gone", async () => {
  const account = await accounts.newAccount();
  const { id } = await create(account, "old");
  await system.slowDown(2000);
  // The update reads for two seconds and writes for two: its caller leaves in the midst of the write.
  const left = system.leaveAs("fleet", renaming(account, { id, label: "gone" }), 3500);
  await untilWriting();
  const others = await Promise.all(["one", "two", "three"].map((label) => create(account, label)));
  await left;
  expect(others.every(({ success }) => success)).toBe(true);
  await system.slowDown(0);
  expect(await labelsOf(account)).toEqual(["gone", "one", "three", "two"]);
});

test("a write that waits when its caller leaves is written once and whole, and holds up no other", async () => {
  const account = await accounts.newAccount();
  const { id } = await create(account, "old");
  await system.slowDown(2000);
  const first = account.call("/vehicle/update", { vehicle: { id, label: "first" } });
  await untilWriting();
  await system.leaveAs("fleet", creation(account, "gone"), 1000);
  const [one, last] = await Promise.all([first, create(account, "last")]);
  expect([one.success, last.success]).toEqual([true, true]);
  await system.slowDown(0);
  expect(await labelsOf(account)).toEqual(["first", "gone", "last"]);
});

test("writes whose answers are lost are 14 to all their callers, and none is sent twice", async () => {
  const account = await accounts.newAccount();
  await system.loseAnswers("fleet");
  const labels = Array.from({ length: 100 }, (_, index) => `Van ${index}`);
  const replies = await Promise.all(labels.map((label) => create(account, label)));
  expect(new Set(replies.map(({ status }) => status.code))).toEqual(new Set([14]));
  await system.bringUp("fleet");
  expect(await labelsOf(account)).toEqual(labels.toSorted());
});

/** Waits until an update of a vehicle that has just begun is writing: the one trip of before was to read. */
async function untilWriting() {
  await system.resetTrips();
  await waitUntil("the update has read", system.trips, ({ fleet }) => fleet > 0);
}

function create(account: Account, label: string): Promise<Reply> {
  return account.call("/vehicle/create", { vehicle: { label } });
}

async function labelsOf(account: Account): Promise<string[]> {
  const { list } = await account.must("/vehicle/list", { limit: 1000 });
  return list.map(({ label }: Reply) => label).toSorted();
}

function creation({ id }: Account, label: string) {
  return { path: "/vehicle/create", parameters: { vehicle: { label } }, principal: masterOf(id) };
}

function renaming({ id }: Account, vehicle: { id: number; label: string }) {
  return { path: "/vehicle/update", parameters: { vehicle }, principal: masterOf(id) };
}

function masterOf(account_id: number): Principal {
  return { ...MASTER, account_id, user_id: account_id };
}

const MASTER: Principal = {
  ...nobody("none"),
  credential: "session",
  kind: "master",
  rights: ["vehicle_update"],
  scope: "all",
  limits: AMPLE_LIMITS,
};
