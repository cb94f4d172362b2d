import { beforeAll, expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { type Account, feed, must, newAccount, operatorHash, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { writeUtc } from "#test/tool/call/utc-time.ts";

const now = Math.floor(systemNow() / 1000) * 1000;
const CARGO = {
  ...{ type: "metering", sensor_type: "temperature", name: "Cargo", input_name: "ext_temp_sensor_1", divider: 10 },
  ...{ units_type: "celsius", parameters: { min: -400, max: 900 } },
};
const TITLES = [
  { value: "0", title: "Off" },
  { value: "1", title: "On" },
];
const ENGINE = {
  ...{ type: "virtual", sensor_type: "virtual_ignition", name: "Engine on", input_name: "board_voltage" },
  parameters: { calc_method: "in_range", range_from: 13.2, value_titles: TITLES },
};
const FUEL = { type: "metering", sensor_type: "fuel", name: "Tank", input_name: "can_fuel", units_type: "litre" };
const RPM = { type: "metering", sensor_type: "rpm", name: "RPM", input_name: "can_rpm" };

let account: Account;
let tracker: Reply;
const ids: Record<string, number> = {};

/** A device that sends two points: the voltage falls, the temperature rises. */
beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
  tracker = await account.newTracker();
  const { id: tracker_id, source } = tracker;
  const door = { type: "discrete", sensor_type: "door", name: "Door", input_number: 2 };
  for (const sensor of [CARGO, ENGINE, FUEL, RPM, door]) {
    ids[sensor.name] = (await account.must("/tracker/sensor/create", { tracker_id, sensor })).id;
  }
  const data = [
    { in: 0, out: 0 },
    { in: 100, out: 50 },
  ];
  await account.must("/tracker/sensor/calibration_data/update", { tracker_id, sensor_id: ids.Tank, data });
  const attributes = { can_rpm: 900, can_fuel: "50", obd_vin: "W0L000", driver: "007" };
  await feed(source.device_id, [
    { time: now - 2 * MINUTE_MS, lat: 50, lng: 8, inputs: [true, false], attributes: { ext_temp_sensor_1: -401 } },
    { time: now - 3 * MINUTE_MS, lat: 50, lng: 8, attributes: { ext_temp_sensor_1: 40, board_voltage: 14 } },
    {
      time: now - MINUTE_MS,
      lat: 50,
      lng: 8,
      inputs: [true, true],
      attributes: { board_voltage: 12.1, ...attributes },
    },
    { time: now, lat: 50, lng: 8, attributes: { ext_temp_sensor_1: 45 } },
  ]);
});

test("tracker/readings/list gives the last values, calibrated, with bounds, titles and the device's other attributes", async () => {
  const reply = await account.must("/tracker/readings/list", { tracker_id: tracker.id });
  const none = { converted_units_type: null, converted_value: null };
  expect(reply.inputs).toEqual([
    {
      ...{ sensor_id: ids.Cargo, label: "Cargo", name: "ext_temp_sensor_1", type: "temperature", value: 4.5 },
      ...{ units: "", units_type: "celsius", min_value: -400, max_value: 900, ...none, update_time: writeUtc(now) },
    },
    expect.objectContaining({ label: "Tank", value: 25, units_type: "litre", update_time: writeUtc(now - MINUTE_MS) }),
    expect.objectContaining({ label: "RPM", value: 900 }),
  ]);
  const engineOn = { sensor_id: ids["Engine on"], label: "Engine on", type: "virtual_ignition", value: "Off" };
  expect(reply.virtual_sensors).toEqual([{ ...engineOn, update_time: writeUtc(now - MINUTE_MS) }]);
  const states = Object.fromEntries(reply.states.map(({ field, value }: Reply) => [field, value]));
  expect(states).toEqual({ input_status: 3, board_voltage: 12.1, obd_vin: "W0L000", driver: "007" });

  const some = await account.must("/tracker/readings/list", { tracker_id: tracker.id, sensor_type: "temperature" });
  expect(some.inputs).toHaveLength(1);
  expect(some).not.toHaveProperty("states");
  expect(some).not.toHaveProperty("counters");
  const batch = await account.must("/tracker/readings/batch_list", { trackers: [tracker.id], sensor_type: "rpm" });
  expect(batch.result).toMatchObject({ [tracker.id]: { inputs: [{ label: "RPM" }], virtual_sensors: [] } });
});

test("tracker/readings/list may leave out the parts of composites", async () => {
  const { id } = tracker;
  const parameters = { parent_ids: [ids.Tank] };
  const sum = { ...FUEL, name: "Both", input_name: "composite", group_type: "sum", parameters };
  const { id: sensor_id } = await account.must("/tracker/sensor/create", { tracker_id: id, sensor: sum });
  const labels = async (more: object) => {
    const { inputs } = await account.must("/tracker/readings/list", { tracker_id: id, sensor_type: "fuel", ...more });
    return inputs.map(({ label, value, composite_sensor_ids: of }: Reply) => [label, value, of]);
  };
  expect(await labels({})).toEqual([
    ["Tank", 25, undefined],
    ["Both", 25, [ids.Tank]],
  ]);
  expect(await labels({ include_components: false })).toEqual([["Both", 25, [ids.Tank]]]);
  await account.must("/tracker/sensor/delete", { tracker_id: id, sensor_id });
});

test("get_readings, get_fuel and get_diagnostics each give their own sensors, in the caller's units too", async () => {
  const ask = (what: string) => account.must(`/tracker/${what}`, { tracker_id: tracker.id });
  await account.must("/user/settings/update", { measurement_system: "us" });
  const [readings, fuel, diagnostics] = [
    await ask("get_readings"),
    await ask("get_fuel"),
    await ask("get_diagnostics"),
  ];
  await account.must("/user/settings/update", { measurement_system: "metric" });
  const cargo = { label: "Cargo", value: 4.5, converted_units_type: "fahrenheit", converted_value: 40.1 };
  expect(readings).toMatchObject({ inputs: [cargo], update_time: writeUtc(now) });
  expect(fuel.inputs).toMatchObject([{ label: "Tank", converted_units_type: "gallon_us" }]);
  expect(diagnostics).toMatchObject({ inputs: [{ label: "RPM" }], states: { obd_vin: "W0L000" } });
  const { id } = await account.newTracker();
  const empty = { inputs: [], update_time: null, states: null };
  expect(await account.must("/tracker/get_diagnostics", { tracker_id: id })).toMatchObject(empty);
});

test("tracker/get_inputs names inputs as their sensors do, and the first one ignition by default", async () => {
  const { id } = tracker;
  const reply = await account.must("/tracker/get_inputs", { tracker_id: id });
  expect(reply).toMatchObject({
    inputs: [true, true, false, false, false, false, false, false],
    states: [
      { type: "ignition", name: null, status: true, input_number: 1 },
      { type: "door", name: "Door", status: true, input_number: 2 },
    ],
    update_time: writeUtc(now - MINUTE_MS),
  });
  const { user_time, success, ...same } = reply;
  expect((await account.must("/tracker/batch_get_inputs", { trackers: [id] })).data).toEqual({ [id]: same });
});

test("tracker/output/update names an output, and a new name replaces the one before", async () => {
  const { id: tracker_id } = await account.newTracker();
  const name = (number: number, title: string) =>
    account.call("/tracker/output/update", { tracker_id, tracker_output: { number, title } });
  for (const title of ["Siren", "Lock"]) expect(await name(16, title)).toMatchObject({ success: true });
  const result = [{ number: 16, title: "Lock" }];
  expect((await account.must("/tracker/get_outputs", { tracker_id })).result).toEqual(result);
  const { result: all } = await account.must("/tracker/batch_get_outputs", { trackers: [tracker_id, tracker.id] });
  expect(all).toEqual({ [tracker_id]: result, [tracker.id]: [] });
  expect((await name(0, "x")).status.code).toBe(7);
  expect((await name(17, "x")).status.code).toBe(7);
  expect((await name(1, "x".repeat(101))).status.code).toBe(7);
});

const RANGE = { from: writeUtc(now - 60 * MINUTE_MS), to: writeUtc(now) };

test("tracker/sensor/data/read gives values point by point, calibrated or raw, without impossible ones", async () => {
  const read = (name: string, more = {}) =>
    account.call("/tracker/sensor/data/read", { tracker_id: tracker.id, sensor_id: ids[name], ...RANGE, ...more });
  const get_time = [writeUtc(now - 3 * MINUTE_MS), writeUtc(now - 2 * MINUTE_MS), writeUtc(now)];
  expect((await read("Cargo")).list).toEqual([
    { value: 4, get_time: get_time[0] },
    { value: 4.5, get_time: get_time[2] },
  ]);
  const raw = (await read("Cargo", { raw_data: true })).list;
  expect(raw.map(({ value }: Reply) => value)).toEqual([40, -401, 45]);
  expect((await read("Engine on")).list.map(({ value }: Reply) => value)).toEqual(["On", "Off"]);
  expect((await read("Engine on", { raw_data: true })).list[0].value).toBe(14);
  expect((await read("Door")).status.code).toBe(228);
  expect((await read("None")).status.code).toBe(7);
  expect((await read("Cargo", { sensor_id: UNKNOWN_ID })).status.code).toBe(201);
  expect((await read("Cargo", { from: "2026-01-01 00:00:00", to: "2026-01-31 00:00:00" })).list).toEqual([]);
  expect((await read("Cargo", { from: "2026-01-01 00:00:00", to: "2026-01-31 00:00:01" })).status.code).toBe(211);
  expect((await read("Cargo", { from: RANGE.to, to: RANGE.from })).status.code).toBe(7);
});

test("a clone shows its original's readings; a blocked tracker is 208, or 217 in a list", async () => {
  const [viewer, hash] = [await newAccount({ time_zone: "UTC" }), await operatorHash()];
  const clone = { hash, tracker_id: tracker.id, user_id: viewer.id, label: "Clone" };
  const { id } = await must("/panel/tracker/clone", clone);
  const paths = ["readings/list", "get_readings", "get_fuel", "get_diagnostics", "get_inputs", "get_outputs"];
  for (const path of paths) {
    const { user_time, ...seen } = await viewer.must(`/tracker/${path}`, { tracker_id: id });
    const { user_time: later, ...own } = await account.must(`/tracker/${path}`, { tracker_id: tracker.id });
    expect(seen).toEqual(own);
  }
  const data = await viewer.must("/tracker/sensor/data/read", { tracker_id: id, sensor_id: ids.Cargo, ...RANGE });
  expect(data.list).toHaveLength(2);
  const output = { tracker_id: id, tracker_output: { number: 1, title: "x" } };
  expect((await viewer.call("/tracker/output/update", output)).status.code).toBe(219);
  await must("/panel/tracker/source/update", { hash, tracker_id: tracker.id, blocked: true });
  for (const path of paths) {
    expect((await viewer.call(`/tracker/${path}`, { tracker_id: id })).status.code, path).toBe(208);
  }
  for (const path of ["readings/batch_list", "batch_get_inputs", "batch_get_outputs"]) {
    expect((await viewer.call(`/tracker/${path}`, { trackers: [id] })).status.code).toBe(217);
    const many = Array.from({ length: 501 }, (_, index) => UNKNOWN_ID - index);
    expect((await viewer.call(`/tracker/${path}`, { trackers: many })).status.code).toBe(221);
  }
  await must("/panel/tracker/source/update", { hash, tracker_id: tracker.id, blocked: false });
});
