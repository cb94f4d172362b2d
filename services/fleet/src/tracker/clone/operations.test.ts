import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/duration.ts";
import { call, feed, must, newAccount, operatorHash, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { writeUtc } from "#test/tool/call/utc-time.ts";

async function newClone() {
  const [owner, viewer, hash] = [await newAccount(), await newAccount(), await operatorHash()];
  const original = await owner.newTracker({ label: "Van 7" });
  const parameters = { tracker_id: original.id, user_id: viewer.id, label: "Rented van" };
  const { id: clone_id } = await must("/panel/tracker/clone", { hash, ...parameters });
  return { owner, viewer, original, parameters, hash, clone_id: Number(clone_id) };
}

test("a clone shows the original's points in another account, under a label of its own", async () => {
  const { viewer, original, clone_id, hash } = await newClone();
  const start = systemNow() - HOUR_MS;
  const points = Array.from({ length: 30 }, (_, index) => ({
    time: start + index * 10_000,
    lat: 50 + index * 0.001,
    lng: 8,
    speed: 40,
  }));
  await feed(original.source.device_id, points);
  const { value } = await viewer.must("/tracker/read", { tracker_id: clone_id });
  expect(value).toEqual({ ...original, id: clone_id, label: "Rented van", clone: true });
  const { state } = await viewer.must("/tracker/get_state", { tracker_id: clone_id });
  expect(state).toMatchObject({ source_id: original.source.id, gps: { location: { lat: 50.029, lng: 8 } } });
  const range = { from: writeUtc(start - 2 * HOUR_MS), to: writeUtc(start + DAY_MS) };
  expect((await viewer.must("/track/list", { tracker_id: clone_id, ...range })).list).toHaveLength(1);
  const read = await must("/panel/tracker/read", { hash, tracker_id: clone_id });
  expect(read.value).toMatchObject({ user_id: viewer.id, clone: true, last_connection: expect.any(String) });
});

test("panel/tracker/clone refuses to clone a clone, for the owner, an unknown user and a user who has one", async () => {
  const { owner, parameters, clone_id, hash } = await newClone();
  const third = await newAccount();
  const clone = (change: object) => call("/panel/tracker/clone", { hash, ...parameters, ...change });
  expect((await clone({ tracker_id: clone_id, user_id: third.id })).status.code).toBe(219);
  expect((await clone({ user_id: owner.id })).status.code).toBe(246);
  expect((await clone({ user_id: UNKNOWN_ID })).status.code).toBe(246);
  expect((await clone({})).status.code).toBe(247);
  expect((await clone({ tracker_id: UNKNOWN_ID, user_id: third.id })).status.code).toBe(201);
  for (const label of ["", "x".repeat(61), "<b>"]) {
    expect((await clone({ user_id: third.id, label })).errors).toMatchObject([{ parameter: "label" }]);
  }
  const replies = await Promise.all([1, 2, 3].map(() => clone({ user_id: third.id })));
  expect(replies.map(({ success }) => success).toSorted()).toEqual([false, false, true]);
});

test("a clone's user cannot change the device", async () => {
  const { viewer, parameters, clone_id: tracker_id, hash } = await newClone();
  const codeOf = async (path: string, change: object) =>
    (await viewer.call(path, { tracker_id, ...change })).status.code;
  expect(await codeOf("/tracker/settings/trip_detection/update", { min_idle_duration_minutes: 5 })).toBe(219);
  expect(await codeOf("/tracker/ingest_key/update", { key: null })).toBe(219);
  const tariff = await call("/panel/tracker/tariff/change", { hash, tracker_id, tariff_id: viewer.plan_id });
  expect(tariff.status.code).toBe(219);
  await viewer.must("/tracker/settings/update", { tracker_id, label: "Mine", group_id: 0 });
  expect((await must("/panel/tracker/read", { hash, tracker_id: parameters.tracker_id })).value.label).toBe("Van 7");
});

test("a clone is deleted by its user once no vehicle has it; the original stays", async () => {
  const { owner, viewer, parameters, original, clone_id: tracker_id, hash } = await newClone();
  const { id: vehicle_id } = await viewer.must("/vehicle/create", { vehicle: { label: "V", tracker_id } });
  const remove = (id: number) => viewer.call("/tracker/delete", { tracker_id: id });
  expect(await remove(tracker_id)).toMatchObject({ status: { code: 203 }, vehicles: [vehicle_id] });
  await viewer.must("/vehicle/delete", { vehicle_id });
  expect((await remove(tracker_id)).success).toBe(true);
  expect((await remove(tracker_id)).status.code).toBe(201);
  expect((await remove(original.id)).status.code).toBe(201);
  expect((await owner.call("/tracker/delete", { tracker_id: original.id })).status.code).toBe(249);
  await owner.must("/tracker/read", { tracker_id: original.id });
  // The clone is removed, so the tracker may be cloned again.
  await must("/panel/tracker/clone", { hash, ...parameters });
});
