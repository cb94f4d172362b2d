import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { call, feed, must, newAccount, newImei, operator, operatorHash, UNKNOWN_ID } from "#test/tool/call/account.ts";

const newName = () => `${systemNow()}-${randomInt(1e9)}`;

async function newTariff(tariff: object = {}) {
  const { id } = await operator.must("/panel/tariff/create", {
    tariff: { name: newName(), ...tariff },
  });
  return Number(id);
}

test("panel/tracker/read gives a tracker as its user reads it, with its user's id and the time of its last connection", async () => {
  const account = await newAccount({ time_zone: "UTC" });
  const tracker = await account.newTracker({ label: "Van 7" });
  const { value } = await operator.must("/panel/tracker/read", { tracker_id: tracker.id });
  expect(value).toEqual({
    ...tracker,
    user_id: account.id,
    dealer_id: 1,
    deleted: false,
    comment: "",
    creation_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    model_name: "Generic GPS tracker",
    last_connection: null,
  });
  const before = systemNow();
  await feed(tracker.source.device_id, [{ time: before - MINUTE_MS, lat: 50, lng: 8 }]);
  const read = await operator.must("/panel/tracker/read", { tracker_id: tracker.id });
  expect(Date.parse(`${read.value.last_connection}Z`)).toBeGreaterThan(before - 2000);
  expect((await operator.call("/panel/tracker/read", { tracker_id: UNKNOWN_ID })).status.code).toBe(201);
});

test("panel/tracker/list finds trackers by user, tariff, label, device id and phone, and sorts them", async () => {
  const account = await newAccount({ plan: {} });
  const [one, two] = [await account.newTracker({ label: "Ähre" }), await account.newTracker({ label: "Boot" })];
  const phone = String(randomInt(1e13, 9e13));
  const given = { group_id: 0, model: "generic_gps", plugin_id: 44, device_id: newImei(), phone };
  const { value: three } = await account.must("/tracker/register", { ...given, label: "Cart" });
  await feed(two.source.device_id, [{ time: systemNow() - MINUTE_MS, lat: 50, lng: 8 }]);
  const found = async (wanted: object) => {
    const reply = await operator.must("/panel/tracker/list", { user_id: account.id, ...wanted });
    return [reply.list.map(({ id }: { id: number }) => id), reply.count];
  };
  expect(await found({})).toEqual([[one.id, two.id, three.id], 3]);
  expect(await found({ order_by: "label", ascending: false, limit: 1, offset: 1 })).toEqual([[two.id], 3]);
  expect(await found({ filter: "AHR" })).toEqual([[one.id], 1]);
  expect(await found({ filter: two.source.device_id })).toEqual([[two.id], 1]);
  expect(await found({ filter: phone })).toEqual([[three.id], 1]);
  expect(await found({ user_id: undefined, tariff_id: account.plan_id })).toEqual([[one.id, two.id, three.id], 3]);
  expect(await found({ tariff_id: UNKNOWN_ID })).toEqual([[], 0]);
  const { list } = await operator.must("/panel/tracker/list", { user_id: account.id });
  expect(list.map((tracker: { last_connection: unknown }) => tracker.last_connection)).toEqual([
    null,
    expect.any(String),
    null,
  ]);
});

test("panel/tracker/settings/update changes label and comment separately, and cannot hide a tracker", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker({ label: "Van 7" });
  const update = (change: object) => operator.call("/panel/tracker/settings/update", { tracker_id, ...change });
  expect((await update({ comment: "x".repeat(3000), deleted: false })).success).toBe(true);
  expect((await update({ label: "Renamed" })).success).toBe(true);
  const { value } = await operator.must("/panel/tracker/read", { tracker_id });
  expect(value).toMatchObject({ label: "Renamed", comment: "x".repeat(3000) });
  expect((await account.must("/tracker/list", { labels: ["renamed"] })).list).toHaveLength(1);
  for (const [name, wrong] of Object.entries({
    comment: "x".repeat(3001),
    label: "",
    deleted: true,
  })) {
    expect((await update({ [name]: wrong })).errors).toMatchObject([{ parameter: name }]);
  }
  expect((await update({ tracker_id: UNKNOWN_ID })).status.code).toBe(201);
});

test("panel/tracker/tariff/change applies a tariff's features and storage period at once", async () => {
  const account = await newAccount({ plan: {} });
  const { id: tracker_id, source } = await account.newTracker();
  const time = systemNow() - 5 * DAY_MS;
  await feed(source.device_id, [
    { time, lat: 50, lng: 8, speed: 50 },
    { time: time + MINUTE_MS, lat: 50.01, lng: 8, speed: 50 },
  ]);
  const range = { from: day(-6), to: day(1) };
  const readable = async () => (await account.must("/track/read", { tracker_id, ...range })).list.length > 0;
  expect(await readable()).toBe(true);
  await operator.must("/panel/tracker/tariff/change", {
    tracker_id,
    tariff_id: await newTariff({ store_period: "1d" }),
  });
  expect(await readable()).toBe(false);
  expect((await account.call("/subuser/list")).status.code).toBe(236);
  await operator.must("/panel/tracker/tariff/change", { tracker_id, tariff_id: account.plan_id, repay: true });
  expect(await readable()).toBe(true);
  await account.must("/subuser/list");
});

test("panel/tracker/tariff/change takes only an active tariff of the dealer, for trackers, below its device limit", async () => {
  const account = await newAccount({ plan: {} });
  const trackers = await Promise.all([1, 2, 3].map(() => account.newTracker()));
  const tracker_id = trackers[0].id;
  const change = (tariff_id: number, id = tracker_id) =>
    operator.call("/panel/tracker/tariff/change", { tracker_id: id, tariff_id });
  expect((await change(UNKNOWN_ID)).status.code).toBe(239);
  expect((await change(await newTariff({ active: false }))).status.code).toBe(237);
  expect((await change(await newTariff({ device_type: "camera" }))).status.code).toBe(237);
  expect((await change(account.plan_id, UNKNOWN_ID)).status.code).toBe(201);
  const narrow = await newTariff({ device_limit: 2 });
  const replies = await Promise.all(trackers.map(({ id }) => change(narrow, id)));
  expect(replies.map(({ success }) => success).toSorted()).toEqual([false, true, true]);
  const refused = replies.findIndex(({ success }) => !success);
  expect(replies[refused].status.code).toBe(221);
  // A tracker that has the tariff may be given it again, although the tariff is full.
  expect((await change(narrow, trackers[(refused + 1) % 3].id)).success).toBe(true);
});

test("panel/tracker/corrupt removes a tracker for all but the operator, and its device may be registered anew", async () => {
  const [account, other] = [await newAccount({ plan: {} }), await newAccount({ plan: {} })];
  const phone = String(randomInt(1e13, 9e13));
  const given = { label: "Van", group_id: 0, model: "generic_gps", plugin_id: 44, device_id: newImei(), phone };
  const { value: tracker } = await account.must("/tracker/register", given);
  const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "V", tracker_id: tracker.id } });
  const points = (lat: number) => [{ time: systemNow() - MINUTE_MS, lat, lng: 8 }];
  expect((await feed(given.device_id, points(50))).accepted).toBe(1);

  await operator.must("/panel/tracker/corrupt", { tracker_id: tracker.id });
  expect((await feed(given.device_id, points(51))).status.code).toBe(204);
  expect((await account.call("/tracker/read", { tracker_id: tracker.id })).status.code).toBe(201);
  expect((await account.must("/tracker/list")).list).toEqual([]);
  expect((await account.must("/vehicle/read", { vehicle_id })).value.tracker_id).toBeNull();
  const { value } = await operator.must("/panel/tracker/read", { tracker_id: tracker.id });
  expect(value).toMatchObject({
    deleted: true,
    source: { corrupted: true, device_id: given.device_id },
    last_connection: null,
  });
  for (const [path, more] of Object.entries({
    "/panel/tracker/corrupt": {},
    "/panel/tracker/clone": { user_id: other.id, label: "Clone" },
    "/panel/tracker/settings/update": { label: "New" },
    "/panel/tracker/tariff/change": { tariff_id: account.plan_id },
    "/panel/tracker/source/update": { blocked: true },
  })) {
    expect((await operator.call(path, { tracker_id: tracker.id, ...more })).status.code, path).toBe(252);
  }

  const { value: again } = await other.must("/tracker/register", given);
  expect((await feed(given.device_id, points(52))).accepted).toBe(1);
  const { state } = await other.must("/tracker/get_state", { tracker_id: again.id });
  expect(state.gps.location).toEqual({ lat: 52, lng: 8 });
  expect((await operator.call("/panel/tracker/corrupt", { tracker_id: UNKNOWN_ID })).status.code).toBe(201);
});

test("a device that is registered anew right after its removal belongs to the new owner from its first point on", async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const tracker = await account.newTracker();
  const { device_id } = tracker.source;
  const point = { time: systemNow() - MINUTE_MS, lat: 50, lng: 8 };
  await feed(device_id, [point]);
  await operator.must("/panel/tracker/corrupt", { tracker_id: tracker.id });
  await other.newTracker({ device_id });
  expect((await feed(device_id, [point])).accepted).toBe(1);
});

test("panel/tracker/corrupt removes a tracker's clones with it, or refuses because of them", async () => {
  const [owner, viewer, hash] = [await newAccount(), await newAccount(), await operatorHash()];
  const { id: tracker_id } = await owner.newTracker();
  const clone = { hash, tracker_id, user_id: viewer.id, label: "Clone" };
  const { id: clone_id } = await must("/panel/tracker/clone", clone);
  const { id: vehicle_id } = await viewer.must("/vehicle/create", { vehicle: { label: "V", tracker_id: clone_id } });
  const corrupt = (id: number, corrupt_clones?: boolean) =>
    call("/panel/tracker/corrupt", { hash, tracker_id: id, corrupt_clones });
  expect((await corrupt(clone_id)).status.code).toBe(219);
  expect(await corrupt(tracker_id, false)).toMatchObject({ status: { code: 253 }, list: [clone_id] });
  await owner.must("/tracker/read", { tracker_id });
  expect((await corrupt(tracker_id)).success).toBe(true);
  expect((await viewer.must("/tracker/list")).list).toEqual([]);
  expect((await viewer.must("/vehicle/read", { vehicle_id })).value.tracker_id).toBeNull();
  expect((await must("/panel/tracker/read", { hash, tracker_id: clone_id })).value).toMatchObject({ deleted: true });
});

test("panel/tracker/corrupt removes the tracker from sub-users' bindings", async () => {
  const account = await newAccount();
  const [gone, left] = [await account.newTracker(), await account.newTracker()];
  const user = { login: `${newName()}@example.com`, legal_type: "individual", first_name: "Bo" };
  const { id: subuser_id } = await account.must("/subuser/register", { user, password: "secret123" });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [gone.id, left.id] });
  await operator.must("/panel/tracker/corrupt", { tracker_id: gone.id });
  expect((await account.must("/subuser/tracker/list", { subuser_id })).list).toEqual([left.id]);
});

function day(offset: number) {
  return new Date(systemNow() + offset * DAY_MS).toISOString().slice(0, 19).replace("T", " ");
}
