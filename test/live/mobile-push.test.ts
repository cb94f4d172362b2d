import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NewEvent } from "#shared/contract/event/event.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, type Accounts, accountsOn } from "../tool/call/account.ts";
import { startMobilePushService } from "../tool/receiver/mobile-push-service.ts";
import { startSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

// Tests fire crons, which work for all accounts: this file has a system of its own.
let system: Awaited<ReturnType<typeof startSystem>>;
let accounts: Accounts;
let service: Awaited<ReturnType<typeof startMobilePushService>>;
const bind = "/user/session/push_token/bind";

beforeAll(async () => {
  service = await startMobilePushService();
  system = await startSystem({ AUDIT_DELAY_SECONDS: "0.05", ...service.environment });
  accounts = accountsOn(system);
});

afterAll(async () => {
  await system?.stop();
  service?.stop();
});

test("an event reaches both applications, once, by a token that the account has signed for and that is kept", async () => {
  const { account, tracker_id, token: android } = await newListener("vendor_android_viewer");
  const { account: other, tracker_id: seen, token: iphone } = await newListener("vendor_iphone_viewer");
  const event = eventOf(account, tracker_id, { rule_id: 33, extra: { emergency: true } });
  await deliverEvents([event, eventOf(other, seen)]);
  await deliverEvents([event]);
  await arrival(android, 1);
  await arrival(iphone, 1);
  const [{ path, authorization, message }] = service.to(android);
  expect(path).toBe("/v1/projects/fleet-test/messages:send");
  expect(authorization).toMatch(/^Bearer token-\d$/);
  expect(message).toMatchObject({ notification: { title: "Van 7", body: "Arrived" }, android: { priority: "HIGH" } });
  expect(message.data.category).toBe("history_rule");
  expect(JSON.parse(message.data.event)).toMatchObject({ event: "inzone", tracker_id });
  expect(service.to(iphone)[0].message.apns.headers["apns-priority"]).toBe("5");
  const grants = service.grants();
  await deliverEvents([eventOf(account, tracker_id)]);
  await arrival(android, 2);
  expect(service.grants()).toBe(grants);
  expect(service.claims()).toMatchObject({
    iss: "push@fleet-test.example.com",
    scope: expect.stringMatching(/messaging$/),
  });
});

test("a mobile token gets no event that its filter leaves out, and none after its session has ended", async () => {
  const { account, tracker_id, token } = await newListener("vendor_android_viewer", {
    category_filter: "history_task",
  });
  await deliverEvents([
    eventOf(account, tracker_id),
    eventOf(account, tracker_id, { event: "info", extra: { task_id: 5 } }),
  ]);
  await arrival(token, 1);
  expect(service.to(token)[0].message.data.category).toBe("history_task");
  const { hash } = await accounts.must("/user/auth", { login: account.login, password: account.password });
  await account.must("/user/logout");
  await deliverEvents([eventOf(account, tracker_id, { event: "info", extra: { task_id: 6 } })]);
  await sendDue();
  expect(service.to(token)).toHaveLength(1);
  await accounts.must("/user/logout", { hash });
});

test("a token that the service does not know any more is removed; what it cannot take now is tried again", async () => {
  const { account, tracker_id, token: gone } = await newListener("vendor_android_viewer");
  const { account: patient, tracker_id: seen, token: busy } = await newListener("vendor_iphone_viewer");
  service.answerTo(gone, { status: 404, error: "UNREGISTERED" });
  service.answerTo(busy, { status: 503, error: "UNAVAILABLE" });
  await deliverEvents([eventOf(account, tracker_id), eventOf(patient, seen)]);
  await arrival(gone, 1);
  await arrival(busy, 1);
  service.answerTo(gone, { status: 200 });
  service.answerTo(busy, { status: 200 });
  await deliverEvents([eventOf(account, tracker_id)]);
  // The first pause is five seconds.
  await system.moveClock(6);
  const sendAgain = async () => {
    await sendDue();
    return service.to(busy).length === 2;
  };
  await waitUntil("the busy token was tried again", sendAgain);
  expect(service.to(gone)).toHaveLength(1);
});

async function newListener(application: string, more: object = {}) {
  const account = await accounts.newAccount();
  const { id: tracker_id } = await account.newTracker();
  const token = randomUUID();
  expect(await account.must(bind, { application, token, ...more })).toEqual({ success: true });
  return { account, tracker_id: Number(tracker_id), token };
}

function eventOf({ id: account_id }: Account, tracker_id: number, more: Partial<NewEvent> = {}): NewEvent {
  const event_id = randomUUID();
  return { event_id, account_id, tracker_id, event: "inzone", time: systemNow(), message: "Arrived", ...more };
}

function arrival(token: string, count: number) {
  return waitUntil(
    `the service has ${count} messages`,
    () => service.to(token).length,
    (length) => length === count,
  );
}

/** Delivers events to fleet, and has its sweep deliver them to the gateway at once. */
async function deliverEvents(events: NewEvent[]) {
  await system.storeEvents(events);
  await system.fireCron("fleet");
}

async function sendDue() {
  await system.fireCron("fleet");
  await system.fireCron("gateway");
}
