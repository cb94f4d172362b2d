import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { MINUTE_MS } from "../../shared/time/duration.ts";
import { type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { linkedHash, newInactiveUser, newPendingLogin } from "../tool/call/mailbox.ts";
import { newTicket, upload } from "../tool/call/uploads.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { newReceiver } from "../tool/receiver/receivers.ts";
import { pointsOfADrive } from "../tool/sample/drive.ts";
import { bindingsFronts, moveClock } from "../tool/system/changed-bindings.ts";
import { filesWith } from "../tool/system/data-folder.ts";
import { waitUntil } from "../tool/wait.ts";

const [MINUTE, DAY] = [60, 86_400];
const [OLD, NEW] = ["0d", "1e"].map((byte) => byte.repeat(32));
const OLD_KEYS = { TOKEN_KEY: String(OLD), ENCRYPTION_KEY: String(OLD) };
const CHANGED_KEYS = { TOKEN_KEY: `${NEW},${OLD}`, ENCRYPTION_KEY: `${NEW},${OLD}` };

// The Workers live once, through 50 days and a restart, and the tests look at what was answered.
let installation: LocalInstallation;
let workers: LocalWorkers;
let seen: Awaited<ReturnType<typeof live>>;

beforeAll(async () => {
  installation = await newLocalInstallation();
  seen = await live(accountsOn(installation));
});

afterAll(async () => {
  await workers?.stop();
  await installation?.remove();
});

/** Ages an installation; returns what calls answered shortly before and after each end: a code, or undefined for success. */
async function live(accounts: Accounts) {
  workers = await installation.start({}, { keys: OLD_KEYS, fronts: bindingsFronts() });
  const account = await accounts.newAccount({ plan: { store_period: "30d" } });
  const tracker = await account.newTracker();
  await accounts.feed(tracker.source.device_id, pointsOfADrive(100));
  const operator = await accounts.operatorHash();
  const device = await newGuardedDevice();
  const partner = await newPartner();
  await partner.send(1);
  const untouched = await newSession();
  const renewed = await newSession();
  const { value: key } = await account.must("/api/key/create", { title: "For ever" });
  const youngDrive = await tracks(renewed);
  const ticket = await newTicket(account);
  const drawer = await newDrawer();
  const address = await drawer.address();
  const waiting = await newPendingLogin(accounts);
  const invited = await newInactiveUser(accounts);
  const activation = await linkedHash(invited.login, accounts);
  const invitedAgain = [await invite(), await invite()];
  await accounts.must("/user/restore_password", { login: account.login });
  const restore = await linkedHash(account.login, accounts);

  await moveClock(workers, 5 * MINUTE + 10);
  invitedAgain.push(await invite());
  const codeBefore = await codeOf("/user/auth/code/verify", waiting.hash);

  await moveClock(workers, 10 * MINUTE + 10);
  const codeAfter = await codeOf("/user/auth/code/verify", waiting.hash);

  const sentBefore = await device.send();
  await workers.stop();
  const [withDevice, withKey] = [await device.filesWithId(), await device.filesWithKey()];
  // With other keys from now on.
  const later = { CLOCK_OFFSET_SECONDS: String(1 * DAY - 10 * MINUTE) };
  workers = await installation.start(later, { keys: CHANGED_KEYS, fronts: bindingsFronts() });
  const sentAfter = [await device.send(), await device.send({ withoutKey: true })];
  const restoreBefore = await codeOf("/user/password/change", restore);
  const heldBefore = await readUsedBytes();
  const operatorBefore = await codeOf("/panel/mail/list", operator);
  await partner.takesUntil(1);
  await partner.send(2);
  for (let time = 0; time < 10; time++) await logIn("wrong-password");
  const lockedOut = (await logIn()).status?.code;

  await moveClock(workers, 1 * DAY + 10 * MINUTE);
  const addressAfterChange = await statusOf(address);
  const changedAddress = await statusOf(await drawer.address());
  const keysAfterChange = (await accounts.must("/api/key/list", { hash: untouched })).list;
  const restoreAfter = await codeOf("/user/password/change", restore);
  const heldAfter = await readUsedBytes();
  const expired = (await upload(ticket, new File(["late"], "a.txt"))).status.code;
  const operatorAfter = await codeOf("/panel/mail/list", operator);
  const letIn = (await logIn()).status?.code;

  await moveClock(workers, 7 * DAY - 10 * MINUTE);
  const activationBefore = await codeOf("/api/key/list", activation);
  await partner.send(3);
  const forwarded = await partner.takesUntil(3);

  await moveClock(workers, 7 * DAY + 10 * MINUTE);
  const activationAfter = await codeOf("/api/key/list", activation);
  const addressAfter = await statusOf(address);
  const freshAddress = await statusOf(await drawer.address());

  await moveClock(workers, 20 * DAY);
  await accounts.must("/user/session/renew", { hash: renewed });

  await moveClock(workers, 30 * DAY - 10 * MINUTE);
  const sessionBefore = await codeOf("/user/get_info", untouched);

  await moveClock(workers, 30 * DAY + 10 * MINUTE);
  const sessionAfter = await codeOf("/user/get_info", untouched);
  const renewedTooLate = await codeOf("/user/session/renew", untouched);
  const renewedBefore = await codeOf("/user/get_info", renewed);
  const oldDrive = await tracks(renewed);

  await moveClock(workers, 50 * DAY + 10 * MINUTE);
  const renewedAfter = await codeOf("/user/get_info", renewed);
  const keyAfter = await codeOf("/vehicle/list", key.hash);
  return {
    ...{ operatorBefore, operatorAfter, lockedOut, letIn, sessionBefore, sessionAfter, renewedTooLate },
    ...{ invitedAgain, codeBefore, codeAfter, restoreBefore, restoreAfter, activationBefore, activationAfter },
    ...{ heldBefore, heldAfter, expired, sentBefore, sentAfter, withDevice, withKey },
    ...{ addressAfterChange, changedAddress, keysAfterChange, key, addressAfter, freshAddress },
    ...{ renewedBefore, renewedAfter, keyAfter, youngDrive, oldDrive, forwarded },
  };

  /** A device whose points need an ingest key. */
  async function newGuardedDevice() {
    const { id: tracker_id, source } = await account.newTracker();
    const key = `key of the device ${systemNow()}`;
    await account.must("/tracker/ingest_key/update", { tracker_id, key });
    return {
      async send({ withoutKey = false } = {}) {
        const headers: Record<string, string> = withoutKey ? {} : { "X-Ingest-Key": key };
        const body = JSON.stringify({ device_id: source.device_id, points: [{ time: systemNow(), lat: 50, lng: 8 }] });
        return (await fetch(`${installation.baseUrl}/ingest/points`, { method: "POST", headers, body })).status;
      },
      filesWithId: () => filesWith(join(installation.folder, "workers"), source.device_id),
      filesWithKey: () => filesWith(installation.folder, key),
    };
  }

  /** A receiver that is there now and then, and a tracker whose points, known by their latitude, are for it. */
  async function newPartner() {
    const receiver = await newReceiver("wialon");
    const { id: tracker_id, source } = await account.newTracker();
    const given = { name: "Partner", protocol_id: 1, address: "127.0.0.1", port: receiver.port };
    const { id } = await account.must("/retranslator/create", { retranslator: given });
    await account.must("/tracker/retranslator/bind", { tracker_id, retranslator_id: id });
    await receiver.leave();
    return {
      send: (lat: number) => accounts.feed(source.device_id, [{ time: systemNow() - MINUTE_MS, lat, lng: 8 }]),
      async takesUntil(last: number) {
        await receiver.comeBack();
        // Otherwise it would be tried again at some time.
        await account.must("/retranslator/update", { retranslator: { ...given, id } });
        await waitUntil(`the receiver has the point ${last}`, () => receiver.taken.some(({ lat }) => lat === last));
        await receiver.leave();
        const { list } = await account.must("/retranslator/status/list");
        return { taken: receiver.taken.map(({ lat }) => lat), error: list[0].last_error.message };
      },
    };
  }

  /** A service task with a file, and the address that the file is shown with. */
  async function newDrawer() {
    const { id: vehicle_id } = await account.must("/vehicle/create", {
      vehicle: { label: "Van", tracker_id: tracker.id },
    });
    const kept = await newTicket(account, { size: 4 });
    await upload(kept, new File(["bill"], "bill.txt"));
    const conditions = { date: { end: "2040-01-01 00:00:00" } };
    const task = { vehicle_id, description: "Oil", conditions, file_ids: [kept.file_id] };
    const { id: task_id } = await account.must("/vehicle/service_task/create", { task });
    return {
      async address(): Promise<string> {
        const { value } = await accounts.must("/vehicle/service_task/read", { hash: key.hash, task_id });
        return value.files[0].download_url;
      },
    };
  }

  async function statusOf(address: string) {
    return (await fetch(address)).status;
  }

  async function codeOf(path: string, hash: string): Promise<number | undefined> {
    return (await accounts.call(path, { hash })).status?.code;
  }

  async function invite(): Promise<number | undefined> {
    return (await accounts.call("/user/resend_activation", { login: invited.login })).status?.code;
  }

  function logIn(password = account.password): Promise<Reply> {
    return accounts.call("/user/auth", { login: account.login, password });
  }

  async function newSession(): Promise<string> {
    return (await logIn()).hash;
  }

  async function readUsedBytes(): Promise<number> {
    return (await accounts.must("/file/stats/read", { hash: key.hash })).value.total_size;
  }

  function tracks(hash: string): Promise<Reply> {
    const now = systemNow();
    const range = { from: writeLocal(now - 4 * DAY * 1000, "UTC"), to: writeLocal(now, "UTC") };
    return accounts.call("/track/list", { hash, tracker_id: tracker.id, ...range });
  }
}

test("a session lives 30 days and cannot be renewed afterwards", () => {
  expect([seen.sessionBefore, seen.sessionAfter, seen.renewedTooLate]).toEqual([undefined, 4, 4]);
});

test("a session renewed on its 20th day lives until the 50th", () => {
  expect([seen.renewedBefore, seen.renewedAfter]).toEqual([undefined, 4]);
});

test("an operator's session lives 24 hours", () => {
  expect([seen.operatorBefore, seen.operatorAfter]).toEqual([undefined, 4]);
});

test("an activation link works for 7 days, a restore link for 24 hours, a code for 10 minutes", () => {
  expect([seen.activationBefore, seen.activationAfter]).toEqual([undefined, 4]);
  // Code 7 shows that the hash was accepted: only a parameter was missing.
  expect([seen.restoreBefore, seen.restoreAfter]).toEqual([7, 4]);
  expect([seen.codeBefore, seen.codeAfter]).toEqual([7, 4]);
});

test("an upload ticket is good for 24 hours, and counts towards no quota afterwards", () => {
  expect([seen.heldBefore, seen.heldAfter, seen.expired]).toEqual([1004, 4, 204]);
});

test("the address of a file is good for some days; whoever reads the thing again gets a fresh one", () => {
  expect([seen.addressAfterChange, seen.addressAfter, seen.freshAddress]).toEqual([200, 404, 200]);
});

test("a change of keys ends neither addresses nor what is sealed, and new ones are made with the new key", () => {
  expect([seen.addressAfterChange, seen.changedAddress]).toEqual([200, 200]);
  expect(seen.keysAfterChange).toMatchObject([{ title: "For ever", hash: seen.key.hash }]);
});

test("an activation mail can be asked for again after five minutes", () => {
  expect(seen.invitedAgain).toEqual([undefined, 264, undefined]);
});

test("an API key does not end with the session that made it", () => {
  expect(seen.keyAfter).toBeUndefined();
});

test("an ingest key is in no file of an installation, and devices need it after a restart", () => {
  expect([seen.sentBefore, seen.sentAfter]).toEqual([200, [200, 404]]);
  // The device's id is stored as text beside the key's hash: its file is among those that are searched.
  expect(seen.withDevice).not.toEqual([]);
  expect(seen.withKey).toEqual([]);
});

test("a login locked out by wrong passwords is let in again after a quarter of an hour", () => {
  expect([seen.lockedOut, seen.letIn]).toEqual([105, undefined]);
});

test("a drive is listed until the plan's storage period is over, then it is limit_exceeded", () => {
  expect(seen.youngDrive).toMatchObject({ limit_exceeded: false, list: [{ points: 100 }] });
  expect(seen.oldDrive).toMatchObject({ success: true, limit_exceeded: true, list: [] });
});

test("points wait a day for their receiver, over a restart, and are given up then", () => {
  expect(seen.forwarded).toEqual({ taken: [1, 3], error: "1 points were given up: nobody took them in time" });
});
