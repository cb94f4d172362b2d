import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { feed, must, newAccount, operatorHash, type Reply, UNKNOWN_ID } from "../../../../../test/tool/call/account.ts";

const READ = "/tracker/settings/trip_detection/read";
const UPDATE = "/tracker/settings/trip_detection/update";
const DEFAULTS = {
  min_idle_duration_minutes: 5,
  idle_speed_threshold: 3,
  ignition_aware: false,
  motion_sensor_aware: false,
};

test("tracker/settings/trip_detection/read gives a new tracker's defaults, at the reply's top level", async () => {
  const { account, tracker_id } = await newTracker();
  expect(await account.must(READ, { tracker_id })).toEqual({ success: true, ...DEFAULTS });
});

test("tracker/settings/trip_detection/update changes the given settings, and leaves those that are missing or null", async () => {
  const { account, tracker_id } = await newTracker();
  const changes = { min_idle_duration_minutes: 10, motion_sensor_aware: true };
  await account.must(UPDATE, { tracker_id, ...changes, ignition_aware: null });
  expect(await account.must(READ, { tracker_id })).toEqual({ success: true, ...DEFAULTS, ...changes });
  await account.must(UPDATE, { tracker_id, ...DEFAULTS });
  expect(await account.must(READ, { tracker_id })).toEqual({ success: true, ...DEFAULTS });
});

test("tracker/settings/trip_detection/update splits past points into trips anew", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const start = systemNow() - 5 * HOUR_MS;
  // Half an hour of driving, eight minutes of rest, half an hour of driving.
  const times = Array.from({ length: 69 }, (_, minute) => minute);
  const points = times.map((minute) => {
    const rests = minute > 30 && minute < 39;
    return { time: start + minute * MINUTE_MS, lat: 50 + minute / 200, lng: 8, speed: rests ? 0 : 36 };
  });
  await feed(device_id, points);
  const range = { from: writeTime(start - HOUR_MS), to: writeTime(systemNow()) };
  const countOf = async () => (await account.must("/track/list", { tracker_id, ...range })).list.length;
  expect(await countOf()).toBe(2);
  await account.must(UPDATE, { tracker_id, min_idle_duration_minutes: 10 });
  expect(await countOf()).toBe(1);
  await account.must(UPDATE, { tracker_id, min_idle_duration_minutes: 1 });
  expect(await countOf()).toBe(2);
});

test.each([
  ["min_idle_duration_minutes", [1, 1440], [0, 1441, 1.5]],
  ["idle_speed_threshold", [0, 200], [-1, 201, 1.5]],
  ["ignition_aware", [true, false], [1]],
  ["motion_sensor_aware", [true, false], ["on"]],
])("tracker/settings/trip_detection/update keeps %s to its range", async (name, allowed, refused) => {
  const { account, tracker_id } = await newTracker();
  for (const value of allowed) {
    await account.must(UPDATE, { tracker_id, [name]: value });
    expect((await account.must(READ, { tracker_id }))[name]).toBe(value);
  }
  for (const value of refused) {
    const { status, errors } = await account.call(UPDATE, { tracker_id, [name]: value });
    expect([status.code, errors[0].parameter]).toEqual([7, name]);
  }
});

test.each([READ, UPDATE])(
  "operation %s answers for another account's tracker as for an unknown one, and 208 for a blocked one",
  async (path) => {
    const [{ account, tracker_id }, rival] = [await newTracker(), await newAccount()];
    const foreign = await rival.call(path, { tracker_id, ...DEFAULTS });
    expect(foreign).toEqual(await rival.call(path, { tracker_id: UNKNOWN_ID, ...DEFAULTS }));
    expect(codeOf(foreign)).toBe(204);
    await must("/panel/tracker/source/update", { hash: await operatorHash(), tracker_id, blocked: true });
    expect(codeOf(await account.call(path, { tracker_id, ...DEFAULTS }))).toBe(208);
  },
);

async function newTracker() {
  const account = await newAccount({ time_zone: "UTC" });
  const { id, source } = await account.newTracker();
  return { account, tracker_id: id, device_id: source.device_id };
}

function codeOf({ status }: Reply) {
  return status?.code;
}

function writeTime(ms: number) {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
