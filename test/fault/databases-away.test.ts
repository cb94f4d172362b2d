import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { WORKERS, type WorkerName } from "../../scripts/workers.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, newImei, type Reply } from "../tool/call/account.ts";
import { newReceiver, type Receiver } from "../tool/receiver/receivers.ts";
import { pointsOfADrive } from "../tool/sample/drive.ts";
import { type Installation, newInstallation, PATIENT } from "../tool/system/npm-start.ts";
import { OPERATOR } from "../tool/system/operator.ts";
import { startWatchedSystem } from "../tool/system/system.ts";

// What is taken down here is down for every test of the system: it is this file's own.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;

const RANGE = { from: daysFromNow(-4), to: daysFromNow(1) };

beforeAll(async () => {
  system = await startWatchedSystem();
  accounts = accountsOn(system);
});

afterEach(() => Promise.all(WORKERS.map((worker) => system.bringUp(worker))));

afterAll(() => system?.stop());

test.each(WORKERS)("the health check names the database of %s while it is down, and no other", async (worker) => {
  await system.takeDown(worker);
  const unwell = await fetch(`${system.origin}/health`);
  expect(unwell.status).toBe(503);
  const ok = Object.fromEntries(WORKERS.map((name) => [name, "ok"]));
  expect(await unwell.json()).toEqual({ success: false, services: { ...ok, [worker]: "database unavailable" } });
  await system.bringUp(worker);
  expect((await fetch(`${system.origin}/health`)).status).toBe(200);
});

test("dozens who write at the same time, time and again, all come to it", async () => {
  const account = await accounts.newAccount();
  for (let round = 0; round < 8; round++) {
    const written = Array.from({ length: 50 }, (_, index) =>
      account.must("/employee/create", { employee: { first_name: `Ann ${round}-${index}` } }),
    );
    await Promise.all(written);
  }
  expect((await account.must("/employee/list", { limit: 1 })).count).toBe(400);
});

test.each<[WorkerName, string[], string[]]>([
  ["gateway", ["/api/key/list", "/user/session/renew", "/user/get_info"], ["/vehicle/list", "/track/read"]],
  ["fleet", ["/vehicle/list", "/tracker/list", "/track/read", "/tracker/get_state"], ["/api/key/list"]],
  ["geo", ["/track/read"], ["/vehicle/list", "/tracker/list", "/tracker/get_state", "/api/key/list"]],
  ["reports", [], ["/vehicle/list", "/track/read", "/api/key/list"]],
])(
  "without the database of %s, %j are 14, %j go on, and all is well once it is back",
  async (worker, needs, others) => {
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
  },
);

test.each<[WorkerName, string[]]>([
  ["gateway", ["/api/key/list", "/api/key/create", "/user/auth"]],
  ["fleet", ["/vehicle/list", ...Array.from({ length: 6 }, () => "/vehicle/create")]],
])(
  "while the database of %s hangs, the health check names it, and its calls are 14 when their time is over",
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

test("what a failure left of a removed user's account, a repeat finishes", async () => {
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

test("a hash first seen while the gateway's database is down is not taken for an unknown one", async () => {
  const { hash } = await accounts.newAccount();
  await system.takeDown("gateway");
  expect((await accounts.call("/base/nothing", { hash })).status.code).toBe(14);
  await system.bringUp("gateway");
  await accounts.must("/base/nothing", { hash });
});

test("log-ins that fail for want of a database do not count as wrong passwords", async () => {
  const { login, password } = await accounts.newAccount();
  await system.takeDown("gateway");
  const tries = Array.from({ length: 12 }, () => accounts.call("/user/auth", { login, password }));
  for (const reply of await Promise.all(tries)) expect(reply.status.code).toBe(14);
  await system.bringUp("gateway");
  await accounts.must("/user/auth", { login, password });
});

test("what fails for want of a database has done nothing: the same call works later", async () => {
  const account = await accounts.newAccount();
  const device = { label: "Van", model: "generic_gps", plugin_id: 44, group_id: 0, device_id: newImei() };
  await system.takeDown("fleet");
  expect((await account.call("/tracker/register", device)).status.code).toBe(14);
  expect((await account.call("/vehicle/create", { vehicle: { label: "Van" } })).status.code).toBe(14);
  await system.bringUp("fleet");
  expect((await account.must("/vehicle/list")).count).toBe(0);
  await account.must("/tracker/register", device);
});

test("a mail that the gateway was told of while it was down, or deaf, is one mail", async () => {
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

test("while geo's database is down a known device loses no point, also more than a feed keeps open", async () => {
  const { account, tracker, points } = await newDrive(5000);
  await send(tracker, points.slice(0, 1000));
  await system.takeDown("geo");
  expect(await send(tracker, points.slice(1000))).toEqual({ accepted: 4000, duplicates: 0 });
  expect(await send(tracker, points)).toEqual({ accepted: 0, duplicates: 5000 });
  await system.bringUp("geo");
  expect(await timesOf(account, tracker)).toHaveLength(5000);
  expect(await send(tracker, points)).toEqual({ accepted: 0, duplicates: 5000 });
});

test("points whose storing was never confirmed are stored once", async () => {
  const { account, tracker, points } = await newDrive(5100);
  await send(tracker, points.slice(0, 4000));
  await system.loseAnswers("geo");
  await system.resetTrips();
  await send(tracker, points.slice(4000, 5000));
  await vi.waitUntil(async () => (await system.trips()).geo > 0, PATIENT);
  await system.bringUp("geo");
  // After a pause the feed tries again: it asks what is stored, and adds the rest.
  let sent = 5000;
  await vi.waitUntil(
    async () => {
      await send(tracker, points.slice(sent, ++sent));
      return (await system.trips()).geo > 3;
    },
    { timeout: 20_000, interval: 500 },
  );
  expect(await timesOf(account, tracker)).toHaveLength(sent);
  expect(await send(tracker, points.slice(0, sent))).toEqual({ accepted: 0, duplicates: sent });
});

test("a device not seen lately is asked to try again while geo's database is down, not called unknown", async () => {
  const { tracker, points } = await newDrive(1);
  await system.takeDown("geo");
  expect((await accounts.feed(tracker.source.device_id, points)).status.code).toBe(14);
  await system.bringUp("geo");
  expect(await send(tracker, points)).toEqual({ accepted: 1, duplicates: 0 });
});

test("a device of which geo could not be told sends points after the next sweep", async () => {
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

test("a sweep that fails is made up for by the next one", async () => {
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

test("the log of all these faults holds no hash, no password and no value of a parameter", async () => {
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

test("kill -9 of workerd while devices send loses no acknowledged point", async () => {
  const installation = await newInstallation({ DEMO: "0", OPERATOR_PASSWORD: OPERATOR.password });
  try {
    await installation.start();
    await killWhileSending(installation);
  } finally {
    await installation.remove();
  }
}, 120_000);

async function killWhileSending(installation: Installation) {
  const sending = accountsOn(installation);
  const account = await sending.newAccount();
  const devices = await Promise.all([1, 2, 3, 4].map(async () => (await account.newTracker()).source.device_id));
  const receiver = await newReceiver("wialon");
  await forwardAll(account, receiver);
  const points = pointsOfADrive(8000);
  const batches = Array.from({ length: 400 }, (_, index) => points.slice(index * 20, index * 20 + 20));
  const acknowledged: { device_id: string; batch: object[]; afterwards: boolean }[] = [];
  let isKilled = false;

  async function drive(device_id: string) {
    for (const batch of batches) {
      const reply: Reply = await sending.feed(device_id, batch).catch(() => undefined);
      if (reply?.success) acknowledged.push({ device_id, batch, afterwards: isKilled });
      else await pause(50);
      const since = acknowledged.filter((one) => one.afterwards && one.device_id === device_id);
      if (since.length >= 10) return;
    }
  }

  const drives = Promise.all(devices.map(drive));
  await vi.waitUntil(() => acknowledged.length >= 60, { timeout: 20_000, interval: 2 });
  const killed = installation.kill("workerd serve");
  await vi.waitUntil(() => installation.isReplaced(killed, "workerd serve"), PATIENT);
  isKilled = true;
  await drives;
  await vi.waitUntil(async () => (await installation.health()) === 200, PATIENT);
  expect(acknowledged.filter(({ afterwards }) => afterwards)).not.toEqual([]);
  for (const { device_id, batch } of acknowledged) {
    expect(await sending.feed(device_id, batch)).toEqual({ success: true, accepted: 0, duplicates: batch.length });
  }
  await expectForwarded(receiver, acknowledged);
}

async function forwardAll(account: Account, { port }: Receiver) {
  const given = { name: "Partner", protocol_id: 1, address: "127.0.0.1", port };
  const { id: retranslator_id } = await account.must("/retranslator/create", { retranslator: given });
  const { list } = await account.must("/tracker/list");
  for (const { id } of list) await account.must("/tracker/retranslator/bind", { tracker_id: id, retranslator_id });
}

/** What was acknowledged to a device its receiver has too, in order; a crash may have sent the last of it twice. */
async function expectForwarded(receiver: Receiver, acknowledged: { device_id: string; batch: object[] }[]) {
  const devices = new Set(acknowledged.map(({ device_id }) => device_id));
  for (const device_id of devices) {
    const batches = acknowledged.filter((one) => one.device_id === device_id);
    const times = batches.flatMap(({ batch }) =>
      batch.map((point) => new Date(Reflect.get(point, "time")).toISOString()),
    );
    const firsts = () => [...new Set(receiver.taken.filter(({ id }) => id === device_id).map(({ time }) => time))];
    await vi.waitUntil(() => times.every((time) => firsts().includes(time)), PATIENT);
    expect(firsts()).toEqual(firsts().toSorted());
  }
  expect(receiver.faults).toEqual([]);
  await receiver.leave();
}

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

/** Of every point that the tracker has, once. */
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
