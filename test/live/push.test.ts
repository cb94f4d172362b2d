import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NewEvent } from "#shared/contract/event/event.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { newSubUser } from "../tool/call/mailbox.ts";
import { claimsOf, decrypt, startPushService } from "../tool/receiver/push-service.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

// Tests fire crons and take databases down: this file has a system of its own.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;
let service: Awaited<ReturnType<typeof startPushService>>;
const bind = "/user/session/push_token/bind";

beforeAll(async () => {
  service = await startPushService();
  system = await startWatchedSystem({ AUDIT_DELAY_SECONDS: "0.05" });
  accounts = accountsOn(system);
});

afterAll(async () => {
  await system?.stop();
  service?.stop();
});

test("the test's own decryption and verification accept the vectors of RFC 8291 and RFC 8292", async () => {
  const vector = await fixture("rfc8291-aes128gcm");
  const bytes = (name: string) => Buffer.from(vector[name], "base64url");
  const keys = { privateKey: bytes("ua_private"), publicKey: bytes("ua_public"), auth: bytes("auth_secret") };
  expect(decrypt(bytes("body"), keys).toString()).toBe(vector.plaintext);
  const { authorization, jwt_header, jwt_claims } = await fixture("rfc8292-vapid");
  expect(claimsOf(authorization)).toMatchObject({ header: jwt_header, claims: jwt_claims });
  expect(() => claimsOf(authorization.replace("t=eyJ0", "t=eyJ1"))).toThrow();
});

test("an event reaches a session's browser encrypted and signed, once however often it is delivered", async () => {
  const { account, tracker_id, browser } = await newListener({ time_zone: "Asia/Tokyo" });
  const more = { rule_id: 33, location: { lat: 50, lng: 60 }, extra: { emergency: true }, message: "x".repeat(300) };
  const stored = eventOf(account, tracker_id, more);
  const sentSince = systemNow() / 1000;
  await system.storeEvents([stored]);
  await arrival(browser, 1);
  await Promise.all([system.storeEvents([stored]), system.storeEvents([stored])]);
  await sendDue();
  const { list } = await account.must("/history/unread/list");
  const { full_message, ...extra } = list[0].extra;
  const event = { ...list[0], message: "x".repeat(256), extra };
  expect(browser.received()).toEqual([{ category: "history_rule", event }]);

  const { headers, body } = onlyRow(browser.posted());
  expect(headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high" });
  expect(Number(headers.ttl)).toBeGreaterThan(86_000);
  expect(Number(headers.ttl)).toBeLessThanOrEqual(86_400);
  expect(body.length).toBeLessThanOrEqual(4096);
  const { key, claims } = claimsOf(headers.authorization ?? "");
  expect(key).toBe((await accounts.must("/push/vapid")).value);
  expect(claims).toMatchObject({ aud: `http://${service.host}`, sub: "mailto:operator@example.com" });
  // Half a day: a push service may accept less than a day, and refuses what has ended.
  expect(claims.exp - sentSince).toBeGreaterThan(0);
  expect(claims.exp - sentSince).toBeLessThan(86_400);
});

test("sessions hear of the categories that their filters let through, in the order in which events were stored", async () => {
  const { account, tracker_id, browser: all } = await newListener();
  const listen = async (category_filter: string) => {
    const hash = await anotherSession(account);
    const browser = service.subscribe();
    await account.must(bind, { ...browser.token, category_filter, hash });
    return browser;
  };
  const listed = await listen("history_rule,history_task");
  const others = await listen("-history_task,history_info");
  const hash = await anotherSession(account);
  await account.must(bind, { application: "vendor_android_viewer", token: "abc", hash });
  const broken = service.subscribe();
  const other = await anotherSession(account);
  await account.must(bind, { ...broken.token, parameters: { p256dh: "BJx3", auth: "k8Qd" }, hash: other });
  await system.storeEvents([
    eventOf(account, tracker_id, { rule_id: 33 }),
    eventOf(account, tracker_id, { event: "info", extra: { task_id: 5 } }),
    eventOf(account, tracker_id, { event: "service_task_expired" }),
    eventOf(account, tracker_id, { event: "checkin_creation", extra: { checkin_id: 5 } }),
    eventOf(account, tracker_id, { is_silent: true }),
  ]);
  await account.must("/tracker/settings/update", { tracker_id, label: "New", group_id: 0 });
  await changeStatus(account, tracker_id);
  await account.must("/employee/create", { employee: { first_name: "Ann", tracker_id } });
  await addOverdueWorks(account, tracker_id);
  await system.fireCron("fleet");
  await arrival(all, 8);
  await arrival(listed, 2);
  await arrival(others, 4);
  await sendDue();
  const [rule, task, service_task] = ["history_rule", "history_task", "history_service_task"];
  const [info, status] = ["history_info", "history_work_status"];
  expect(categoriesOf(all)).toEqual([rule, task, service_task, info, info, status, info, service_task]);
  expect(categoriesOf(listed)).toEqual([rule, task]);
  expect(categoriesOf(others)).toEqual([rule, service_task, status, service_task]);
  expect(broken.posted()).toEqual([]);
});

test("a sub-user hears of its trackers alone, an ended session of nothing, another account of none", async () => {
  const { account, tracker_id: shown, browser } = await newListener();
  const { browser: foreign } = await newListener();
  const { id: hidden } = await account.newTracker();
  const { id: subuser_id, hash } = await newSubUser(account, accounts);
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [shown] });
  const scoped = service.subscribe();
  await account.must(bind, { ...scoped.token, hash });
  await system.storeEvents([eventOf(account, shown), eventOf(account, hidden)]);
  await arrival(scoped, 1);
  await arrival(browser, 2);
  expect(scoped.received()[0].event.tracker_id).toBe(shown);

  await account.must("/subuser/tracker/unbind", { subuser_id, trackers: [shown] });
  const second = await anotherSession(account);
  const ended = service.subscribe();
  await account.must(bind, { ...ended.token, hash: second });
  await account.must("/user/logout", { hash: second });
  const deleted = service.subscribe();
  const third = await anotherSession(account);
  await account.must(bind, { ...deleted.token, hash: third });
  await account.must("/user/session/push_token/delete", { hash: third });
  await system.storeEvents([eventOf(account, shown)]);
  await arrival(browser, 3);
  await sendDue();
  expect([scoped, ended, deleted, foreign].map(({ posted }) => posted().length)).toEqual([1, 0, 0, 0]);
});

test("a push that its service cannot take is sent again by the cron; one that the service refuses is not", async () => {
  const { account, tracker_id } = await newListener();
  const answers = [503, 500, 429, 408, 302, "nothing"] as const;
  const browsers: { browser: Browser; hash: string }[] = [];
  for (const answer of [...answers, 404, 410, 400, 413, "later"] as const) {
    const hash = await anotherSession(account);
    const browser = service.subscribe();
    await account.must(bind, { ...browser.token, hash });
    if (answer === "later") browser.answerWith({ status: 429, retryAfter: "3600" });
    else browser.answerWith(answer === "nothing" ? answer : { status: answer });
    browsers.push({ browser, hash });
  }
  const [passing, rest] = [browsers.slice(0, answers.length), browsers.slice(answers.length)];
  const ended = passing.pop();
  const countsOf = (some: typeof browsers) => some.map(({ browser }) => browser.posted().length);
  await system.storeEvents([eventOf(account, tracker_id, { message: "first" })]);
  await waitUntil(
    "every browser has the first message",
    () => countsOf(browsers),
    (counts) => counts.every((count) => count === 1),
  );
  await account.must("/user/logout", { hash: ended?.hash });
  await system.storeEvents([eventOf(account, tracker_id, { message: "second" })]);
  for (const { browser } of browsers.slice(0, -1)) browser.answerWith({ status: 201 });
  // The first pause is five seconds.
  await system.moveClock(6);
  const sendAgain = async () => {
    await system.fireCron("gateway");
    return countsOf(passing).every((count) => count === 3);
  };
  await waitUntil("both messages were sent again", sendAgain);
  await sendDue();
  for (const { browser } of passing) {
    expect(messagesOf(browser)).toEqual(["first", "first", "second"]);
  }
  // 404 and 410 have removed the token; after 400 and 413 only the second one goes there; 429 says when.
  expect(countsOf(rest)).toEqual([1, 1, 2, 2, 1]);
  expect(ended?.browser.posted()).toHaveLength(1);
  // Another subscription need not wait for the one before.
  const fresh = service.subscribe();
  await account.must(bind, { ...fresh.token, hash: rest.at(-1)?.hash });
  await sendDue();
  await arrival(fresh, 2);
  expect(messagesOf(fresh)).toEqual(["first", "second"]);
  const log = JSON.stringify(await waitUntil("the failures were logged", loggedFailures, ({ length }) => length > 0));
  expect(log).not.toMatch(/127\.0\.0\.1|first|second/);
});

test("an event that the gateway's database could not take, or whose answer was lost, is sent exactly once after fleet's sweep", async () => {
  const { account, tracker_id, browser } = await newListener();
  await system.takeDown("gateway");
  await system.storeEvents([eventOf(account, tracker_id, { message: "down" })]);
  await expect(system.fireCron("fleet")).rejects.toThrow();
  await system.bringUp("gateway");
  await sendDue();
  await arrival(browser, 1);
  await system.loseAnswers("gateway");
  await system.storeEvents([eventOf(account, tracker_id, { message: "lost" })]);
  await expect(system.fireCron("fleet")).rejects.toThrow();
  await system.bringUp("gateway");
  await sendDue();
  await arrival(browser, 2);
  await sendDue();
  expect(messagesOf(browser)).toEqual(["down", "lost"]);
});

type Browser = ReturnType<typeof service.subscribe>;

/** An account with a tracker, whose master's session hears of everything. */
async function newListener(given: { time_zone?: string } = {}) {
  const account = await accounts.newAccount(given);
  const { id: tracker_id }: { id: number } = await account.newTracker();
  const browser = service.subscribe();
  await account.must(bind, browser.token);
  return { account, tracker_id, browser };
}

async function anotherSession({ login, password }: Account): Promise<string> {
  const { hash } = await accounts.must("/user/auth", { login, password });
  return hash;
}

function eventOf({ id: account_id }: Account, tracker_id: number, more: Partial<NewEvent> = {}): NewEvent {
  const time = systemNow() - MINUTE_MS;
  return { event_id: randomUUID(), account_id, tracker_id, event: "inzone", time, message: "Arrived", ...more };
}

async function changeStatus(account: Account, tracker_id: number) {
  const listing = { label: "Work", supervisor_controlled: true, employee_controlled: true };
  const { id: listing_id } = await account.must("/status/listing/create", { listing });
  const status = { label: "Busy", color: "E57373" };
  const { id: new_status_id } = await account.must("/status/create", { listing_id, status });
  await account.must("/status/listing/tracker/assign", { tracker_id, listing_id });
  await account.must("/status/tracker/assign", { tracker_id, new_status_id });
}

/** Makes two overdue service works: one that notifies users, and one that does not. */
async function addOverdueWorks(account: Account, tracker_id: number) {
  const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } });
  const conditions = { date: { end: writeLocal(systemNow() - DAY_MS, "Europe/Berlin"), notification_interval: 1 } };
  for (const push_enabled of [true, false]) {
    const task = { vehicle_id, description: "Oil change", conditions, notifications: { push_enabled } };
    await account.must("/vehicle/service_task/create", { task });
  }
}

function arrival(browser: Browser, count: number) {
  return waitUntil(
    `the browser has ${count} messages`,
    () => browser.posted().length,
    (length) => length === count,
  );
}

/** Has fleet deliver all events, and the gateway send all that is due. */
async function sendDue() {
  await system.fireCron("fleet");
  await system.fireCron("gateway");
}

function categoriesOf(browser: Browser) {
  return browser.received().map(({ category }: Reply) => category);
}

function messagesOf(browser: Browser) {
  return browser.received().map(({ event }: Reply) => event.message);
}

async function loggedFailures() {
  return (await system.logs()).filter(({ message }) => message.includes('"push"'));
}

async function fixture(name: string): Promise<Reply> {
  return JSON.parse(await readFile(`${import.meta.dirname}/../fixtures/push/${name}.json`, "utf8"));
}
