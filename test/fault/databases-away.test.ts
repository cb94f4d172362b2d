import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { WORKERS, type WorkerName } from "../../scripts/workers.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../shared/time/duration.ts";
import { type Accounts, accountsOn, newImei, type Reply } from "../tool/call/account.ts";
import { effort } from "../tool/effort.ts";
import { pointsOfADrive } from "../tool/sample/drive.ts";
import { OPERATOR } from "../tool/system/operator.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { MAX_WAIT_MS, waitUntil } from "../tool/wait.ts";

// This system belongs to this file alone: its databases are taken down.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;

const RANGE = { from: daysFromNow(-4), to: daysFromNow(1) };

beforeAll(async () => {
  system = await startWatchedSystem();
  accounts = accountsOn(system);
});

afterEach(() => Promise.all(WORKERS.map((worker) => system.bringUp(worker))));

afterAll(() => system?.stop());

test.each(WORKERS)("/health names the database of %s while it is down, and no other", async (worker) => {
  await system.takeDown(worker);
  const unwell = await fetch(`${system.origin}/health`);
  expect(unwell.status).toBe(503);
  const ok = Object.fromEntries(WORKERS.map((name) => [name, "ok"]));
  expect(await unwell.json()).toEqual({ success: false, services: { ...ok, [worker]: "database unavailable" } });
  await system.bringUp(worker);
  expect((await fetch(`${system.origin}/health`)).status).toBe(200);
});

test("employee/create stores every one of 50 concurrent calls, several times in a row", async () => {
  const rounds = effort({ few: 2, many: 8 });
  const account = await accounts.newAccount();
  for (let round = 0; round < rounds; round++) {
    const written = Array.from({ length: 50 }, (_, index) =>
      account.must("/employee/create", { employee: { first_name: `Ann ${round}-${index}` } }),
    );
    await Promise.all(written);
  }
  expect((await account.must("/employee/list", { limit: 1 })).count).toBe(50 * rounds);
});

test.each<[WorkerName, string[], string[]]>([
  ["gateway", ["/api/key/list", "/user/session/renew", "/user/get_info"], ["/vehicle/list", "/track/read"]],
  ["fleet", ["/vehicle/list", "/tracker/list", "/track/read", "/tracker/get_state"], ["/api/key/list"]],
  ["geo", ["/track/read"], ["/vehicle/list", "/tracker/list", "/tracker/get_state", "/api/key/list"]],
  ["reports", [], ["/vehicle/list", "/track/read", "/api/key/list"]],
])("operations without the database of %s: %j are 14 until it is back, and %j go on", async (worker, needs, others) => {
  const account = await accounts.newAccount();
  const { id: tracker_id } = await account.newTracker();
  const ask = async (path: string) => {
    const parameters = { hash: account.hash, tracker_id, ...RANGE };
    return answerOf(await fetch(system.baseUrl + path, { method: "POST", body: JSON.stringify(parameters) }));
  };
  await ask("/base/nothing");
  await system.takeDown(worker);
  for (const path of needs) expect(await ask(path), path).toEqual([503, 14]);
  for (const path of others) expect(await ask(path), path).toEqual([200, undefined]);
  await system.bringUp(worker);
  for (const path of needs) expect(await ask(path), path).toEqual([200, undefined]);
});

test.each<[WorkerName, string[]]>([
  ["gateway", ["/api/key/list", "/api/key/create", "/user/auth"]],
  ["fleet", ["/vehicle/list", ...Array.from({ length: 6 }, () => "/vehicle/create")]],
])(
  "/health names the database of %s while it hangs, and its calls are 14 when their time is over",
  async (worker, paths) => {
    const { hash, login, password } = await accounts.newAccount();
    const parameters = { hash, login, password, title: "Key", vehicle: { label: "Van" } };
    const ask = async (path: string) =>
      answerOf(await fetch(system.baseUrl + path, { method: "POST", body: JSON.stringify(parameters) }));
    await system.hold(worker);
    const asked = paths.map(ask);
    const { services } = (await (await fetch(`${system.origin}/health`)).json()) as Reply;
    expect(services).toMatchObject({ [worker]: "database unavailable", tasks: "ok" });
    // More writers than have a turn at a time: the wait for it is a part of what a call may take.
    for (const answer of await Promise.all(asked)) expect(answer).toEqual([503, 14]);
    await system.bringUp(worker);
    for (const path of paths) expect(await ask(path), path).toEqual([200, undefined]);
  },
);

test("panel/user/corrupt removes on a repeat what a failure has left of the account", async () => {
  const [account, hash] = [await accounts.newAccount(), await accounts.operatorHash()];
  const { source } = await account.newTracker();
  const send = () => accounts.feed(source.device_id, [{ time: systemNow() - MINUTE_MS, lat: 50, lng: 8 }]);
  await send();
  const remove = () => accounts.call("/panel/user/corrupt", { hash, user_id: account.id, login: account.login });
  await system.takeDown("fleet");
  expect((await remove()).status.code).toBe(14);
  expect((await account.call("/base/nothing")).status.code).toBe(4);
  await system.bringUp("fleet");
  expect((await send()).success).toBe(true);
  expect((await remove()).success).toBe(true);
  expect((await send()).status.code).toBe(204);
  expect((await remove()).status.code).toBe(252);
});

test("a session first used while the gateway's database is down is 14, not unknown", async () => {
  const { hash } = await accounts.newAccount();
  await system.takeDown("gateway");
  expect((await accounts.call("/base/nothing", { hash })).status.code).toBe(14);
  await system.bringUp("gateway");
  await accounts.must("/base/nothing", { hash });
});

test("user/auth counts no wrong password while a database is down", async () => {
  const { login, password } = await accounts.newAccount();
  await system.takeDown("gateway");
  for (let round = 0; round < 2; round++) {
    const tries = Array.from({ length: 8 }, () => accounts.call("/user/auth", { login, password }));
    for (const reply of await Promise.all(tries)) expect(reply.status.code).toBe(14);
  }
  await system.bringUp("gateway");
  await accounts.must("/user/auth", { login, password });
});

test("a call that is 14 without its database has changed nothing and works when repeated", async () => {
  const account = await accounts.newAccount();
  const device = { label: "Van", model: "generic_gps", plugin_id: 44, group_id: 0, device_id: newImei() };
  await system.takeDown("fleet");
  expect((await account.call("/tracker/register", device)).status.code).toBe(14);
  expect((await account.call("/vehicle/create", { vehicle: { label: "Van" } })).status.code).toBe(14);
  await system.bringUp("fleet");
  expect((await account.must("/vehicle/list")).count).toBe(0);
  await account.must("/tracker/register", device);
});

test("the gateway sends one mail for an event that reached it while its database was down or lost answers", async () => {
  const account = await accounts.newAccount();
  const email = `${newImei()}@example.com`;
  const { id: tracker_id } = await account.newTracker();
  const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } });
  const conditions = { date: { end: "2026-01-01 00:00:00" } };
  const task = { vehicle_id, description: "Oil", conditions, notifications: { emails: [email] } };
  await account.must("/vehicle/service_task/create", { task });
  const hash = await accounts.operatorHash();
  await system.takeDown("gateway");
  await system.fireCron("fleet").catch(() => undefined);
  await system.bringUp("gateway");
  await system.loseAnswers("gateway");
  await system.fireCron("fleet").catch(() => undefined);
  await system.bringUp("gateway");
  await system.fireCron("fleet");
  await system.fireCron("fleet");
  const { list } = await accounts.must("/panel/mail/list", { hash });
  expect(list.filter(({ to }: Reply) => to === email)).toHaveLength(1);
});

test("a feed keeps every point of a known device while geo's database is down, also more than it keeps open otherwise", async () => {
  const { account, tracker, points } = await newDrive(5000);
  await send(tracker, points.slice(0, 1000));
  await system.takeDown("geo");
  expect(await send(tracker, points.slice(1000))).toEqual({ accepted: 4000, duplicates: 0 });
  expect(await send(tracker, points)).toEqual({ accepted: 0, duplicates: 5000 });
  await system.bringUp("geo");
  expect(await timesOf(account, tracker)).toHaveLength(5000);
  expect(await send(tracker, points)).toEqual({ accepted: 0, duplicates: 5000 });
});

test("a feed stores points once whose storing was never confirmed", async () => {
  const { account, tracker, points } = await newDrive(5100);
  await send(tracker, points.slice(0, 4000));
  await system.loseAnswers("geo");
  await system.resetTrips();
  await send(tracker, points.slice(4000, 5000));
  await waitUntil("the feed stores its points", async () => (await system.trips()).geo > 0);
  await system.bringUp("geo");
  // After a pause the feed tries again: it asks what is stored, and adds the rest.
  let sent = 5000;
  await vi.waitUntil(
    async () => {
      await send(tracker, points.slice(sent, ++sent));
      return (await system.trips()).geo > 3;
    },
    { timeout: MAX_WAIT_MS, interval: 500 },
  );
  expect(await timesOf(account, tracker)).toHaveLength(sent);
  expect(await send(tracker, points.slice(0, sent))).toEqual({ accepted: 0, duplicates: sent });
});

test("a device that was not seen lately is 14 while geo's database is down, not unknown", async () => {
  const { tracker, points } = await newDrive(1);
  await system.takeDown("geo");
  expect((await accounts.feed(tracker.source.device_id, points)).status.code).toBe(14);
  await system.bringUp("geo");
  expect(await send(tracker, points)).toEqual({ accepted: 1, duplicates: 0 });
});

test("a device registered while geo's database is down sends points after the next sweep", async () => {
  const account = await accounts.newAccount();
  const device_id = newImei();
  await system.takeDown("geo");
  // Registered is registered: an error would ask for a second try, which the first would refuse.
  await account.must("/tracker/register", { label: "Van", model: "generic_gps", plugin_id: 44, device_id });
  await system.bringUp("geo");
  const { list } = await account.must("/tracker/list");
  expect(list).toMatchObject([{ source: { device_id } }]);
  await system.fireCron("fleet");
  expect(await send(list[0], pointsOfADrive(10))).toEqual({ accepted: 10, duplicates: 0 });
});

test("a sweep does the work of an earlier sweep that failed", async () => {
  const account = await accounts.newAccount();
  const device_id = newImei();
  await system.takeDown("geo");
  await account.call("/tracker/register", { label: "Van", model: "generic_gps", plugin_id: 44, device_id });
  await system.fireCron("fleet").catch(() => undefined);
  await system.loseAnswers("geo");
  await system.fireCron("fleet").catch(() => undefined);
  await system.bringUp("geo");
  await system.fireCron("fleet");
  expect(await accounts.feed(device_id, pointsOfADrive(1))).toMatchObject({ accepted: 1 });
});

test("a device blocked while geo's database is down is refused at once", async () => {
  const { tracker, points } = await newDrive(1);
  await send(tracker, points);
  const hash = await accounts.operatorHash();
  await system.takeDown("geo");
  await accounts.call("/panel/tracker/source/update", { hash, tracker_id: tracker.id, blocked: true });
  expect((await accounts.feed(tracker.source.device_id, points)).status.code).toBe(208);
  await system.bringUp("geo");
  await system.fireCron("fleet");
  expect((await accounts.feed(tracker.source.device_id, points)).status.code).toBe(208);
});

test("logs of calls that fail hold no hash, no password and no value of a parameter", async () => {
  const account = await accounts.newAccount();
  const label = "Very private van";
  for (const worker of WORKERS) await system.takeDown(worker);
  const vehicle = { label, vin: "VIN-IN-NO-LOG" };
  expect((await account.call("/vehicle/create", { vehicle })).status.code).toBe(14);
  await account.call("/tracker/register", { label, model: "generic_gps", plugin_id: 44, device_id: newImei() });
  await account.call("/user/auth", { login: account.login, password: account.password });
  for (const worker of WORKERS) await system.bringUp(worker);
  await system.loseAnswers("fleet");
  await account.call("/vehicle/create", { vehicle });
  const logs = JSON.stringify(await system.logs());
  expect(logs).toContain("unavailable");
  for (const secret of [account.hash, account.password, account.login, OPERATOR.password, label, vehicle.vin]) {
    expect(logs).not.toContain(secret);
  }
});

async function newDrive(count: number) {
  const account = await accounts.newAccount();
  return { account, tracker: await account.newTracker(), points: pointsOfADrive(count) };
}

/** A thousand at a time; the sum of the answers. */
async function send(tracker: Reply, points: object[]) {
  const sum = { accepted: 0, duplicates: 0 };
  for (let start = 0; start < points.length; start += 1000) {
    const reply = await accounts.feed(tracker.source.device_id, points.slice(start, start + 1000));
    expect(reply).toMatchObject({ success: true });
    sum.accepted += reply.accepted;
    sum.duplicates += reply.duplicates;
  }
  return sum;
}

/** Times of all points of the tracker, each once. */
async function timesOf(account: Awaited<ReturnType<Accounts["newAccount"]>>, tracker: Reply) {
  const wanted = { tracker_id: tracker.id, ...RANGE, simplify: false, filter: false };
  const { list } = await account.must("/track/read", wanted);
  const times = list.map(({ get_time }: Reply) => get_time);
  expect(new Set(times).size).toBe(times.length);
  return times;
}

async function answerOf(answer: Response) {
  const { status } = (await answer.json()) as { status?: { code: number } };
  return [answer.status, status?.code];
}

function daysFromNow(days: number) {
  const moment = new Date(systemNow() + days * DAY_MS).toISOString();
  return `${moment.slice(0, 10)} ${moment.slice(11, 19)}`;
}
