import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { NewEvent } from "#shared/contract/event/event.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { type Account, newAccount, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { stack } from "#test/tool/system/stack.ts";
import { systemNow, writeLocal } from "../../../../shared/time/clock.ts";

const ZONE = "Europe/Berlin";
const NOW = Math.floor(systemNow() / 1000) * 1000;
const local = (ms: number) => writeLocal(ms, ZONE);
/** A range that ends tomorrow: in an hour that local clocks show twice, one that ends now would end too early. */
const RANGE = { from: local(NOW - 10 * DAY_MS), to: local(NOW + DAY_MS) };

/** An event of the tracker as a producer sends it, some days old. */
function eventOf(
  { id: account_id }: Account,
  tracker_id: number,
  days: number,
  more: Partial<NewEvent> = {},
): NewEvent {
  const time = NOW - days * DAY_MS;
  return { event_id: randomUUID(), account_id, tracker_id, event: "inzone", time, message: "Arrived", ...more };
}

function messagesOf({ list }: Reply) {
  return list.map(({ message }: Reply) => message);
}

test("history calls give an event as its producer reported it, with the driver and the vehicle then on the tracker", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker({ label: "Van 7" });
  const { id: employee_id } = await account.must("/employee/create", { employee: { first_name: "Ann", tracker_id } });
  const location = { lat: 50, lng: 60, precision: 50 };
  const more = { location, address: "Main St 1", rule_id: 33, track_id: 4, extra: { zone_ids: [5], emergency: true } };
  const report = eventOf(account, tracker_id, 1, more);
  await stack.storeEvents([report, { ...report, event_id: randomUUID(), message: "x".repeat(300), time: NOW - 1000 }]);
  const { list, total, total_unread, limit_exceeded } = await account.must("/history/tracker/list", {
    trackers: [tracker_id],
    events: ["inzone"],
    ...RANGE,
    add_tracker_label: false,
  });
  expect({ total, total_unread, limit_exceeded }).toEqual({ total: 2, total_unread: 2, limit_exceeded: false });
  const extra = { tracker_label: "Van 7", employee_id, zone_ids: [5], emergency: true };
  expect(list[0]).toEqual({
    ...{ id: list[0].id, type: "tracker", is_read: false, message: "Arrived", time: local(NOW - DAY_MS) },
    ...{ event: "inzone", tracker_id, rule_id: 33, track_id: 4, location, address: "Main St 1", extra },
  });
  // A long message is shortened and stands in full in `extra.full_message`; a label in front of it counts, too.
  expect(list[1]).toMatchObject({ message: "x".repeat(256), extra: { ...extra, full_message: "x".repeat(300) } });
  const { value } = await account.must("/history/read", { id: list[1].id, add_tracker_label: true });
  expect(value.message).toBe(`Van 7: ${"x".repeat(249)}`);
  expect(value.extra.full_message).toBe(`Van 7: ${"x".repeat(300)}`);
});

test("history stores an event once, however often it is reported, and only of the account's own trackers", async () => {
  const [account, rival] = [await newAccount(), await newAccount()];
  const { id: tracker_id } = await account.newTracker();
  const report = eventOf(account, tracker_id, 1);
  await stack.storeEvents([report]);
  await stack.storeEvents([report, { ...report, message: "Told again" }, eventOf(rival, tracker_id, 1)]);
  await Promise.all([stack.storeEvents([report]), stack.storeEvents([report])]);
  expect(messagesOf(await account.must("/history/user/list", RANGE))).toEqual(["Van 7: Arrived"]);
  expect((await rival.must("/history/user/list", RANGE)).total).toBe(0);
});

test("history/tracker/list gives events by time, filtered and counted", async () => {
  const account = await newAccount();
  const [{ id: one }, { id: two }] = [
    await account.newTracker({ label: "A" }),
    await account.newTracker({ label: "B" }),
  ];
  await stack.storeEvents([
    eventOf(account, one, 3, { message: "third" }),
    eventOf(account, one, 5, { message: "first", event: "outzone" }),
    eventOf(account, two, 4, { message: "second", extra: { emergency: true } }),
    eventOf(account, two, 11, { message: "too old" }),
  ]);
  const of = (more: object) => account.must("/history/tracker/list", { trackers: [one, two], ...RANGE, ...more });
  expect(messagesOf(await of({}))).toEqual(["A: first", "B: second", "A: third"]);
  expect(messagesOf(await of({ ascending: false, limit: 2 }))).toEqual(["A: third", "B: second"]);
  expect(await of({ limit: 2 })).toMatchObject({ limit_exceeded: true, total: 3, total_unread: 3 });
  expect(await of({ limit: 3 })).toMatchObject({ limit_exceeded: false });
  expect(messagesOf(await of({ events: ["outzone", "sos"] }))).toEqual(["A: first"]);
  expect(messagesOf(await of({ events: [] }))).toEqual([]);
  expect(messagesOf(await of({ only_emergency: true }))).toEqual(["B: second"]);
  expect(messagesOf(await of({ trackers: [two] }))).toEqual(["B: second"]);
  // Both ends of a range belong to it.
  const at = local(NOW - 4 * DAY_MS);
  expect(messagesOf(await of({ from: at, to: at }))).toEqual(["B: second"]);

  const { list } = await of({ only_emergency: true });
  await account.must("/history/mark_read", { id: list[0].id });
  expect((await account.call("/history/mark_read", { id: list[0].id })).status.code).toBe(201);
  expect(await of({})).toMatchObject({ total: 3, total_unread: 2 });
  expect(messagesOf(await of({ only_unread: true }))).toEqual(["A: first", "A: third"]);
  expect(messagesOf(await account.must("/history/unread/list", { limit: 2 }))).toEqual(["A: third", "A: first"]);
  expect((await account.must("/history/unread/count")).count).toBe(3);
  expect((await account.must("/history/unread/count", { from: RANGE.from })).count).toBe(2);
  expect((await account.must("/history/unread/count", { type: "camera" })).count).toBe(0);
  await account.must("/history/mark_read_all");
  expect((await account.must("/history/unread/count")).count).toBe(0);
  expect(await of({})).toMatchObject({ total: 3, total_unread: 0 });
});

test("history/asset/list gives a driver's and a vehicle's events from the time when they were on the tracker", async () => {
  const account = await newAccount();
  const [{ id: one }, { id: two }] = [await account.newTracker(), await account.newTracker()];
  const { id: van } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id: two } });
  const employee = { first_name: "Ann", last_name: "Lee" };
  let ann = van;
  // The employee must not have the van's id: the test tells assets of both types apart.
  while (ann === van) ann = (await account.must("/employee/create", { employee })).id;
  await account.must("/tracker/employee/assign", { tracker_id: one, new_employee_id: ann });
  const range = { ...RANGE, events: ["inzone"] };
  await stack.storeEvents([eventOf(account, one, 3, { message: "Ann's" })]);
  await account.must("/tracker/employee/assign", { tracker_id: two, new_employee_id: ann });
  await stack.storeEvents([
    eventOf(account, one, 2, { message: "nobody's" }),
    eventOf(account, two, 1, { message: "Ann's in the van" }),
  ]);
  const of = async (more: object) => messagesOf(await account.must("/history/asset/list", { ...range, ...more }));
  expect(await of({ assets: [{ id: ann, type: "employee" }] })).toEqual(["Ann Lee: Ann's", "Van: Ann's in the van"]);
  expect(await of({ assets: [{ id: van, type: "vehicle" }], add_asset_label: false })).toEqual(["Ann's in the van"]);
  expect(await of({ assets: [{ id: van, type: "employee" }] })).toEqual([]);
  expect(await of({ asset_types: ["vehicle"] })).toEqual(["Van: Ann's in the van"]);
  expect(await of({ asset_types: [] })).toEqual([]);
  expect(await of({})).toEqual(["Ann Lee: Ann's", "Van: Ann's in the van"]);
  expect(await of({ asset_types: ["vehicle"], add_asset_label: false, add_tracker_label: true })).toEqual([
    "Van 7: Ann's in the van",
  ]);
  const counted = await account.must("/history/asset/count", { ...range, assets: [{ id: ann, type: "employee" }] });
  expect(counted).toMatchObject({ total: 2, total_unread: 2 });
});

test("history calls refuse spans, trackers and numbers beyond their limits by code", async () => {
  const account = await newAccount({ plan: { store_period: "30d" } });
  const { id: tracker_id } = await account.newTracker();
  const trackers = [tracker_id];
  const span = { from: "2024-01-01 00:00:00", to: "2024-03-31 00:00:00" };
  const longer = { ...span, to: "2024-03-31 00:00:01" };
  for (const path of ["tracker/list", "user/list", "asset/list", "asset/count"]) {
    const ask = (more: object) => account.call(`/history/${path}`, { trackers, ...span, ...more });
    expect((await ask({})).success, path).toBe(true);
    expect((await ask(longer)).status.code, path).toBe(211);
    expect(await ask({ from: span.to, to: span.from }), path).toMatchObject({
      status: { code: 7 },
      errors: [{ parameter: "to" }],
    });
    expect((await ask({ events: ["boat"] })).errors[0].parameter, path).toBe("events.0");
    if (path === "asset/count") continue;
    expect((await ask({ limit: 1001 })).status.code, path).toBe(212);
    expect((await ask({ limit: 1000 })).success, path).toBe(true);
    expect((await ask({ limit: 0 })).errors[0].parameter, path).toBe("limit");
  }
  expect((await account.call("/history/unread/list", { limit: 1001 })).status.code).toBe(212);
  expect(await account.must("/history/user/list", span)).toMatchObject({ limit_exceeded: true });
  expect(await account.must("/history/user/list", { ...RANGE })).toMatchObject({ limit_exceeded: false });
  expect(await account.must("/history/asset/list", span)).toMatchObject({ limit_exceeded: true });
  const foreign = await (await newAccount()).newTracker();
  for (const wrong of [foreign.id, UNKNOWN_ID]) {
    const reply = await account.call("/history/tracker/list", { trackers: [tracker_id, wrong], ...RANGE });
    expect(reply.status.code).toBe(217);
  }
  await account.block(tracker_id);
  expect((await account.call("/history/tracker/list", { trackers, ...RANGE })).status.code).toBe(217);
});

test("a sub-user sees, counts and marks the events of its trackers alone", async () => {
  const account = await newAccount();
  const [{ id: visible }, { id: hidden }] = [await account.newTracker(), await account.newTracker()];
  await stack.storeEvents([eventOf(account, visible, 1, { message: "seen" }), eventOf(account, hidden, 1)]);
  const { id: subuser_id, hash } = await newSubUser(account);
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [visible] });
  const { list } = await account.must("/history/user/list", { ...RANGE });
  const of = (message: string) => list.find((entry: Reply) => entry.message.endsWith(message)).id;
  expect(messagesOf(await account.must("/history/user/list", { hash, ...RANGE }))).toEqual(["Van 7: seen"]);
  expect((await account.must("/history/unread/count", { hash })).count).toBe(1);
  for (const path of ["read", "mark_read"]) {
    expect((await account.call(`/history/${path}`, { hash, id: of("Arrived") })).status.code).toBe(201);
  }
  const refused = await account.call("/history/tracker/list", { hash, trackers: [visible, hidden], ...RANGE });
  expect(refused.status.code).toBe(217);
  await account.must("/history/mark_read_all", { hash });
  expect((await account.must("/history/unread/count", { hash })).count).toBe(0);
  expect((await account.must("/history/unread/count")).count).toBe(2);
});

test("history/mark_read and mark_read_all mark events for the caller alone, and later events are unread again", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  await stack.storeEvents([3, 2, 1].map((days) => eventOf(account, tracker_id, days, { message: `${days} days ago` })));
  const { id: subuser_id, hash } = await newSubUser(account);
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [tracker_id] });
  const unread = async (by: object = {}) => {
    const { list } = await account.must("/history/unread/list", by);
    expect((await account.must("/history/unread/count", by)).count).toBe(list.length);
    const { total_unread } = await account.must("/history/user/list", { ...RANGE, ...by });
    expect(total_unread).toBe(list.length);
    return messagesOf({ list }).map((message: string) => message.replace("Van 7: ", ""));
  };
  const [{ id }] = (await account.must("/history/user/list", RANGE)).list;
  await account.must("/history/mark_read", { hash, id });
  expect((await account.call("/history/mark_read", { hash, id })).status.code).toBe(201);
  expect(await unread({ hash })).toEqual(["1 days ago", "2 days ago"]);
  expect(await unread()).toEqual(["1 days ago", "2 days ago", "3 days ago"]);
  const isRead = async (by: object = {}) => (await account.must("/history/read", { id, ...by })).value.is_read;
  expect([await isRead({ hash }), await isRead()]).toEqual([true, false]);
  await account.must("/history/mark_read_all", { hash });
  expect([await unread({ hash }), (await unread()).length]).toEqual([[], 3]);
  // An event that happened before, but arrives now, is unread.
  await stack.storeEvents([eventOf(account, tracker_id, 4, { message: "late" })]);
  expect(await unread({ hash })).toEqual(["late"]);
  await account.must("/history/mark_read", { id });
  expect(await unread()).toEqual(["1 days ago", "2 days ago", "late"]);
});

test("history/type/list names and describes every type of event", async () => {
  const { list } = await (await newAccount()).must("/history/type/list", { locale: "de_DE" });
  expect(list).toContainEqual({ type: "inzone", description: "Entered a zone" });
  expect(new Set(list.map(({ type }: Reply) => type)).size).toBe(list.length);
  expect(list.length).toBeGreaterThan(90);
});

test("tracker/settings/update makes an event of a new label, and none of a new group", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker({ label: "Old" });
  await account.must("/tracker/settings/update", { tracker_id, label: "Old", group_id: 0 });
  await account.must("/tracker/settings/update", { tracker_id, label: "New", group_id: 0 });
  const { list } = await account.must("/history/tracker/list", {
    trackers: [tracker_id],
    ...RANGE,
    to: local(NOW + DAY_MS),
  });
  expect(list).toMatchObject([{ event: "tracker_rename", message: "Old: New", extra: { tracker_label: "Old" } }]);
});
