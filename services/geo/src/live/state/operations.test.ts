import { expect, test, vi } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import {
  feed,
  must,
  newAccount,
  newImei,
  operatorHash,
  type Reply,
  UNKNOWN_ID,
} from "../../../../../test/tool/call/account.ts";
import { stack } from "../../../../../test/tool/system/stack.ts";
import { TrackerState } from "./schema.ts";

test("tracker/get_state of a tracker that never reported is just_registered", async () => {
  const { account, tracker } = await newTracker();
  const reply = await account.must("/tracker/get_state", { tracker_id: tracker.id });
  expect(reply.user_time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(reply.state).toEqual({
    source_id: tracker.source.id,
    gps: { updated: null, signal_level: null, location: { lat: 0, lng: 0 }, heading: 0, speed: 0, alt: 0 },
    connection_status: "just_registered",
    movement_status: "parked",
    movement_status_update: null,
    ignition: false,
    ignition_update: null,
    gsm: null,
    last_update: null,
    battery_level: null,
    battery_update: null,
    inputs: Array(8).fill(false),
    inputs_update: null,
    outputs: [],
    outputs_update: null,
    additional: {},
    actual_track_update: null,
  });
  expect(Object.keys(TrackerState.shape)).toEqual(expect.arrayContaining(Object.keys(reply.state)));
});

test("tracker/get_state follows the points: position, movement and inputs", async () => {
  const { account, tracker } = await newTracker();
  const now = Math.floor(systemNow() / 1000) * 1000;
  await feed(tracker.source.device_id, [
    { time: now - 3 * MINUTE_MS, lat: 50, lng: 8, speed: 40, inputs: [false, true] },
    { time: now - 2 * MINUTE_MS, lat: 50.01, lng: 8, speed: 41, inputs: [true, true] },
    { time: now - MINUTE_MS, lat: 50.02, lng: 8, speed: 43.4, inputs: [true, true], ...MEASURED },
  ]);
  const { state } = await account.must("/tracker/get_state", { tracker_id: tracker.id });
  const location = { lat: 50.02, lng: 8 };
  const gps = { location, signal_level: 90, heading: 90, speed: 43, alt: 120, precision: 5, gsm_lbs: false };
  expect(state).toMatchObject({
    gps: { ...gps, updated: toCallerTime(now - MINUTE_MS) },
    connection_status: "active",
    movement_status: "moving",
    movement_status_update: toCallerTime(now - 3 * MINUTE_MS),
    ignition: true,
    ignition_update: toCallerTime(now - 2 * MINUTE_MS),
    inputs: [true, true, false, false, false, false, false, false],
    inputs_update: toCallerTime(now - MINUTE_MS),
    actual_track_update: toCallerTime(now - MINUTE_MS),
  });
  expect(Date.parse(`${state.last_update}Z`)).toBeGreaterThanOrEqual(now);
});

test("tracker/get_state of old points alone is idle, and parked at the last position", async () => {
  const { account, tracker } = await newTracker();
  const past = systemNow() - 2 * HOUR_MS;
  await feed(tracker.source.device_id, [
    { time: past - MINUTE_MS, lat: 50, lng: 8, speed: 40 },
    { time: past, lat: 50.01, lng: 8, speed: 40 },
  ]);
  const { state } = await account.must("/tracker/get_state", { tracker_id: tracker.id });
  expect(state).toMatchObject({ connection_status: "idle", movement_status: "parked" });
  expect(state.movement_status_update).toBe(toCallerTime(past));
});

test("tracker/get_state is stopped after a slow point until the idle time has passed", async () => {
  const { account, tracker } = await newTracker();
  const now = systemNow();
  await feed(tracker.source.device_id, [
    { time: now - 2 * MINUTE_MS, lat: 50, lng: 8, speed: 40 },
    { time: now - MINUTE_MS, lat: 50, lng: 8, speed: 0 },
  ]);
  const { state } = await account.must("/tracker/get_state", { tracker_id: tracker.id });
  expect(state).toMatchObject({ movement_status: "stopped", movement_status_update: toCallerTime(now - MINUTE_MS) });
});

test("tracker/get_state ignores a point ahead of the clock until the clock reaches it", async () => {
  const { account, tracker } = await newTracker();
  const { device_id } = tracker.source;
  const ids = { tracker_id: tracker.id };
  const now = systemNow();
  const [here, ahead] = [
    { lat: 50, lng: 8 },
    { lat: 51, lng: 9 },
  ];
  const soon = now + 128_000;
  await feed(device_id, [
    { time: now - MINUTE_MS, ...here, speed: 0, inputs: [false], attributes: { fuel: 10 } },
    { time: soon, ...ahead, speed: 80, inputs: [true], attributes: { fuel: 90 } },
    { time: now + 23 * HOUR_MS, lat: 52, lng: 10, speed: 80 },
  ]);
  const before = await account.must("/tracker/get_state", ids);
  expect(before.state).toMatchObject({
    gps: { location: here },
    connection_status: "active",
    movement_status: "parked",
    ignition: false,
    additional: { fuel: { value: "10" } },
  });
  expect((await account.must("/tracker/get_last_gps_point", ids)).value).toMatchObject(here);
  const range = {
    from: toCallerTime(now - HOUR_MS),
    to: toCallerTime(now + 24 * HOUR_MS),
    simplify: false,
    filter: false,
  };
  expect((await account.must("/track/read", { ...ids, ...range })).list).toHaveLength(3);
  expect((await account.must("/track/list", { ...ids, ...range, filter: false })).list).toEqual([]);

  // A current point still changes the state.
  await feed(device_id, [{ time: now, lat: 50.001, lng: 8, speed: 0 }]);
  const { value } = await account.must("/tracker/get_last_gps_point", ids);
  expect(value).toMatchObject({ lat: 50.001, lng: 8 });
  await vi.waitFor(
    async () => {
      const after = await account.must("/tracker/get_state", ids);
      expect(after.state).toMatchObject({ gps: { location: ahead, updated: toCallerTime(soon) }, ignition: true });
      expect(after.state.additional.fuel.value).toBe("90");
    },
    { timeout: 120_000, interval: 500 },
  );
});

test("tracker/get_state counts a point up to two minutes ahead as of now", async () => {
  const { account, tracker } = await newTracker();
  await feed(tracker.source.device_id, [{ time: systemNow() + 118_000, lat: 50, lng: 8, speed: 40 }]);
  const { state } = await account.must("/tracker/get_state", { tracker_id: tracker.id });
  expect(state.gps.location).toEqual({ lat: 50, lng: 8 });
});

test("tracker/get_state prefers later facts to those of a device whose clock was ahead", async () => {
  const { account, tracker } = await newTracker();
  for (const [time, batt] of [
    [systemNow() + 23 * HOUR_MS, 90],
    [systemNow() + 1000, 40],
  ]) {
    const query = new URLSearchParams({ id: tracker.source.device_id, timestamp: String(time), batt: String(batt) });
    expect((await fetch(`${stack.baseUrl}/ingest/osmand?${query}`)).status).toBe(200);
  }
  const { state } = await account.must("/tracker/get_state", { tracker_id: tracker.id });
  expect(state.battery_level).toBe(40);
});

test("tracker/get_last_gps_point gives no cell tower's point, and null before there is one", async () => {
  const { account, tracker } = await newTracker();
  const parameters = { tracker_id: tracker.id };
  expect(await account.must("/tracker/get_last_gps_point", parameters)).toEqual({ success: true, value: null });
  const time = systemNow() - 10 * MINUTE_MS;
  await feed(tracker.source.device_id, [
    { time, lat: 50, lng: 8, speed: 40, heading: 180, satellites: 7 },
    { time: time + MINUTE_MS, lat: 51, lng: 9, gsm_lbs: true, precision: 900 },
  ]);
  const { value } = await account.must("/tracker/get_last_gps_point", parameters);
  expect(value).toEqual({ get_time: toCallerTime(time), lat: 50, lng: 8, heading: 180, satellites: 7, speed: 40 });
  const { state } = await account.must("/tracker/get_state", parameters);
  expect(state.gps).toMatchObject({ gsm_lbs: true, precision: 900, location: { lat: 51, lng: 9 } });
});

test("tracker/get_states gives the states of many trackers in one map", async () => {
  const { account, tracker } = await newTracker();
  const other = await account.newTracker({ label: "Van 8" });
  const reply = await account.must("/tracker/get_states", { trackers: [tracker.id, other.id, tracker.id] });
  expect(Object.keys(reply).sort()).toEqual(["states", "success", "user_time"]);
  expect(sourcesOf(reply)).toEqual({ [tracker.id]: tracker.source.id, [other.id]: other.source.id });
  expect((await account.must("/tracker/get_states", { trackers: [] })).states).toEqual({});
});

test("tracker/get_states refuses unknown and foreign ids (217), or lists them where that is allowed", async () => {
  const [{ account, tracker }, rival] = [await newTracker(), await newTracker()];
  for (const stranger of [UNKNOWN_ID, rival.tracker.id]) {
    const parameters = { trackers: [tracker.id, stranger] };
    expect(codeOf(await account.call("/tracker/get_states", parameters))).toBe(217);
    const reply = await account.must("/tracker/get_states", { ...parameters, allow_not_exist: true });
    expect(sourcesOf(reply)).toEqual({ [tracker.id]: tracker.source.id });
    expect(reply.not_exist).toEqual([stranger]);
  }
});

test("tracker/get_states refuses a blocked tracker (208), or lists it where that is allowed", async () => {
  const { account, tracker } = await newTracker();
  const other = await account.newTracker({ label: "Van 8" });
  await must("/panel/tracker/source/update", { hash: await operatorHash(), tracker_id: other.id, blocked: true });
  const parameters = { trackers: [tracker.id, other.id] };
  expect(codeOf(await account.call("/tracker/get_states", parameters))).toBe(208);
  const reply = await account.must("/tracker/get_states", { ...parameters, list_blocked: true });
  expect(reply.blocked).toEqual([other.id]);
  expect(Object.keys(reply.states)).toEqual([String(tracker.id)]);
  for (const path of ["/tracker/get_state", "/tracker/get_last_gps_point"]) {
    expect(codeOf(await account.call(path, { tracker_id: other.id }))).toBe(208);
  }
});

test("tracker/get_states takes two thousand trackers, and refuses one more", async () => {
  const { account } = await newTracker();
  const trackers = Array.from({ length: 2001 }, (_, index) => UNKNOWN_ID - index);
  expect(codeOf(await account.call("/tracker/get_states", { trackers, allow_not_exist: true }))).toBe(7);
  const most = { trackers: trackers.slice(1), allow_not_exist: true };
  expect((await account.must("/tracker/get_states", most)).not_exist).toHaveLength(2000);
});

test.each(["/tracker/get_state", "/tracker/get_last_gps_point"])(
  "operation %s answers for another account's tracker as for an unknown one",
  async (path) => {
    const [{ tracker }, rival] = [await newTracker(), await newAccount()];
    const foreign = await rival.call(path, { tracker_id: tracker.id });
    expect(foreign).toEqual(await rival.call(path, { tracker_id: UNKNOWN_ID }));
    expect(codeOf(foreign)).toBe(201);
  },
);

const MEASURED = { heading: 90, alt: 120, satellites: 9, precision: 5 };

async function newTracker() {
  const account = await newAccount({ time_zone: "UTC" });
  return { account, tracker: await account.newTracker({ device_id: newImei() }) };
}

function sourcesOf({ states }: Reply) {
  return Object.fromEntries(Object.entries<Reply>(states).map(([id, { source_id }]) => [id, source_id]));
}

function codeOf({ status }: Reply) {
  return status?.code;
}

function toCallerTime(ms: number) {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
