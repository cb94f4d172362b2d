import { beforeAll, expect, test } from "vitest";
import { type Account, newAccount, operator, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";

const cargo = { type: "metering", sensor_type: "temperature", name: "Cargo", input_name: "ext_temp_sensor_1" };
const ignition = { type: "discrete", sensor_type: "ignition", name: "Ignition", input_number: 1 };
const parameters = { calc_method: "in_range", range_from: 13.2 };
const engine = {
  type: "virtual",
  sensor_type: "virtual_ignition",
  name: "On",
  input_name: "board_voltage",
  parameters,
};

let account: Account;

beforeAll(async () => {
  account = await newAccount();
});

async function newTracker() {
  const { id } = await account.newTracker();
  const make = (sensor: object) => account.call("/tracker/sensor/create", { tracker_id: id, sensor });
  const list = async () => (await account.must("/tracker/sensor/list", { tracker_id: id })).list;
  return { tracker_id: Number(id), make, list };
}

test("tracker/sensor/create stores each kind of sensor as given; update replaces it and delete removes it", async () => {
  const { tracker_id, make, list } = await newTracker();
  for (const sensor of [cargo, ignition, engine]) expect(await make(sensor)).toMatchObject({ success: true });
  const sensors = await list();
  expect(sensors).toMatchObject([
    { ...cargo, group_type: null, divider: 1, accuracy: 0, units: "", units_type: "custom" },
    ignition,
    engine,
  ]);
  expect(sensors[0].parameters).toMatchObject({ refuel_gap_minutes: 5, ignore_drains_in_move: false });
  expect(sensors[1]).not.toHaveProperty("parameters");

  const warmer = { ...sensors[0], name: "Warmer", divider: 10, parameters: { min: -40, max: 90 } };
  await account.must("/tracker/sensor/update", { tracker_id, sensor: warmer });
  expect((await list())[0]).toMatchObject({ name: "Warmer", divider: 10, parameters: { min: -40, max: 90 } });
  const { result } = await account.must("/tracker/sensor/batch_list", { trackers: [tracker_id] });
  expect(result).toEqual({ [tracker_id]: await list() });

  await account.must("/tracker/sensor/delete", { tracker_id, sensor_id: sensors[1].id });
  expect(await list()).toHaveLength(2);
  const again = await account.call("/tracker/sensor/delete", { tracker_id, sensor_id: sensors[1].id });
  expect(again.status.code).toBe(201);
});

test.each<[string, object, object]>([
  ["sensor.name", { ...cargo, name: "x".repeat(100) }, { ...cargo, name: "x".repeat(101) }],
  ["sensor.name", { ...ignition, name: "x" }, { ...ignition, name: "" }],
  ["sensor.input_name", { ...cargo, input_name: "x".repeat(64) }, { ...cargo, input_name: "x".repeat(65) }],
  ["sensor.input_number", { ...ignition, input_number: 8 }, { ...ignition, input_number: 9 }],
  ["sensor.input_number", { ...ignition, input_number: 1 }, { ...ignition, input_number: 0 }],
  ["sensor.accuracy", { ...cargo, accuracy: 100 }, { ...cargo, accuracy: 100.25 }],
  ["sensor.accuracy", { ...cargo, accuracy: 0.25 }, { ...cargo, accuracy: 0.3 }],
  ["sensor.divider", { ...cargo, divider: -1 }, { ...cargo, divider: 0 }],
  ["sensor.sensor_type", { ...cargo, sensor_type: "fuel" }, { ...cargo, sensor_type: "ignition" }],
  ["sensor.parameters.min", { ...cargo, parameters: { min: 1, max: 1 } }, { ...cargo, parameters: { min: 2, max: 1 } }],
  ["sensor.parameters.bit_index", virtual({ calc_method: "bit_index", bit_index: 32 }), bit(33)],
  ["sensor.parameters.bit_index", bit(1), virtual({ calc_method: "bit_index" })],
  [
    "sensor.parameters.calc_method",
    virtual({ calc_method: "in_range", range_to: 1 }),
    virtual({ calc_method: "in_range" }),
  ],
  ["sensor.parameters.value_titles", withTitles(100), withTitles(101)],
  ["sensor.parameters.value_titles", withTitles(2), withTitles(2, 1)],
  ["sensor.group_type", cargo, { ...cargo, input_name: "composite", parameters: { parent_ids: [1] } }],
])("tracker/sensor/create checks %s on both sides of its limit", async (parameter, right, wrong) => {
  const { make, list } = await newTracker();
  expect(await make(right)).toMatchObject({ success: true });
  expect(await make(wrong)).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
  expect(await list()).toHaveLength(1);
});

test("tracker/sensor/create allows one sensor an input, one ignition and 40 sensors of a type, however many come at once", async () => {
  const { tracker_id, make, list } = await newTracker();
  const codes = async (sensors: object[]) =>
    (await Promise.all(sensors.map(make))).map(({ status }: Reply) => status?.code ?? 0).toSorted();
  expect(await codes([cargo, cargo, { ...cargo, sensor_type: "fuel" }])).toEqual([0, 232, 232]);
  const door = { ...ignition, sensor_type: "door" };
  expect(await codes([ignition, door])).toEqual([0, 232]);
  await account.must("/tracker/sensor/delete", { tracker_id, sensor_id: (await list())[1].id });
  expect(await codes([ignition, { ...ignition, input_number: 2 }])).toEqual([0, 270]);
  expect(await codes([engine, { ...engine, input_name: "rpm" }])).toEqual([0, 270]);
  // A raw input may have several virtual sensors, up to the limit of sensors.
  const many = Array.from({ length: 41 }, (_, index) => ({ ...bit(1 + (index % 32)), name: `Bit ${index}` }));
  expect(await codes(many)).toEqual([...Array(40).fill(0), 270]);
  const one = (await list())[3];
  const other = { ...cargo, id: (await make({ ...cargo, input_name: "temp_sensor" })).id };
  const refused = await account.call("/tracker/sensor/update", { tracker_id, sensor: other });
  expect(refused.status.code).toBe(232);
  const changed = await account.call("/tracker/sensor/update", { tracker_id, sensor: { ...ignition, id: one.id } });
  expect(changed).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "sensor.type" }] });
});

test("tracker/sensor/create makes composites of metering sensors of the same tracker alone", async () => {
  const { make } = await newTracker();
  const { id } = await make(cargo);
  const { id: discrete } = await make(ignition);
  const other = await account.newTracker();
  const foreign = await account.must("/tracker/sensor/create", { tracker_id: other.id, sensor: cargo });
  const sum = (parent_ids: number[]) =>
    make({ ...cargo, input_name: "composite", group_type: "avg", parameters: { parent_ids } });
  const composite = await sum([id]);
  expect(composite).toMatchObject({ success: true });
  for (const parent of [discrete, foreign.id, composite.id, UNKNOWN_ID]) {
    const errors = [{ parameter: "sensor.parameters.parent_ids" }];
    expect(await sum([id, parent])).toMatchObject({ status: { code: 7 }, errors });
  }
  expect(await sum([])).toMatchObject({ status: { code: 7 } });
});

test("tracker/sensor/calibration_data/update stores a sorted curve of a metering sensor, and refuses a point named twice", async () => {
  const { tracker_id, make } = await newTracker();
  const { id: sensor_id } = await make(cargo);
  const { id: discrete } = await make(ignition);
  const ask = (path: string, more: object) =>
    account.call(`/tracker/sensor/calibration_data/${path}`, { tracker_id, sensor_id, ...more });
  expect((await ask("read", {})).value).toEqual([]);
  await ask("update", {
    data: [
      { in: 10, out: 100 },
      { in: 0, out: 0 },
    ],
  });
  expect((await ask("read", {})).value).toEqual([
    { in: 0, out: 0 },
    { in: 10, out: 100 },
  ]);
  const twice = [
    { in: 1, out: 1 },
    { in: 1, out: 2 },
  ];
  const bends = (count: number) => Array.from({ length: count }, (_, index) => ({ in: index, out: index }));
  expect((await ask("update", { data: twice })).status.code).toBe(7);
  expect((await ask("update", { data: bends(1001) })).status.code).toBe(7);
  expect((await ask("update", { data: bends(1000) })).success).toBe(true);
  for (const path of ["read", "update"]) {
    expect((await ask(path, { sensor_id: discrete, data: [] })).status.code).toBe(228);
    expect((await ask(path, { sensor_id: UNKNOWN_ID, data: [] })).status.code).toBe(201);
  }
});

test("tracker/sensor/batch_copy replaces the targets' sensors, and makes composites of the copies", async () => {
  const { tracker_id, make, list } = await newTracker();
  const { id: parent } = await make(cargo);
  await make({ ...cargo, input_name: "composite", group_type: "sum", parameters: { parent_ids: [parent] } });
  await account.must("/tracker/sensor/calibration_data/update", {
    tracker_id,
    sensor_id: parent,
    data: [{ in: 1, out: 2 }],
  });
  const target = (await account.newTracker()).id;
  await account.must("/tracker/sensor/create", { tracker_id: target, sensor: ignition });
  await account.must("/tracker/sensor/batch_copy", { base_tracker_id: tracker_id, trackers: [target, tracker_id] });
  expect(await list()).toHaveLength(2);
  const { list: copies } = await account.must("/tracker/sensor/list", { tracker_id: target });
  expect(copies).toMatchObject([cargo, { input_name: "composite", parameters: { parent_ids: [copies[0].id] } }]);
  const curve = { tracker_id: target, sensor_id: copies[0].id };
  expect((await account.must("/tracker/sensor/calibration_data/read", curve)).value).toEqual([{ in: 1, out: 2 }]);

  const app = await account.must("/tracker/register", { label: "App", model: "mobile_app", plugin_id: 35 });
  const copy = (base: number, trackers: number[]) =>
    account.call("/tracker/sensor/batch_copy", { base_tracker_id: base, trackers });
  expect((await copy(tracker_id, [app.value.id])).status.code).toBe(272);
  expect((await copy(tracker_id, [UNKNOWN_ID])).status.code).toBe(201);
  expect((await copy(UNKNOWN_ID, [target])).status.code).toBe(201);
});

test("a clone shows its original's sensors and changes none; a blocked tracker is 208", async () => {
  const { tracker_id, make, list } = await newTracker();
  const { id: sensor_id } = await make(cargo);
  const viewer = await newAccount();
  const { id: clone } = await operator.must("/panel/tracker/clone", { tracker_id, user_id: viewer.id, label: "Clone" });
  expect((await viewer.must("/tracker/sensor/list", { tracker_id: clone })).list).toEqual(await list());
  const change = (id: number, caller = viewer) => [
    caller.call("/tracker/sensor/create", { tracker_id: id, sensor: ignition }),
    caller.call("/tracker/sensor/update", { tracker_id: id, sensor: { ...cargo, id: sensor_id } }),
    caller.call("/tracker/sensor/delete", { tracker_id: id, sensor_id }),
    caller.call("/tracker/sensor/calibration_data/update", { tracker_id: id, sensor_id, data: [] }),
  ];
  for (const reply of await Promise.all(change(clone))) expect(reply.status.code).toBe(219);
  for (const reply of await Promise.all(change(tracker_id))) expect(reply.status.code).toBe(201);
  await operator.must("/panel/tracker/source/update", { tracker_id, blocked: true });
  for (const reply of await Promise.all(change(tracker_id, account))) expect(reply.status.code).toBe(208);
  expect((await account.call("/tracker/sensor/list", { tracker_id })).status.code).toBe(208);
  const many = Array.from({ length: 501 }, (_, index) => UNKNOWN_ID - index);
  expect((await account.call("/tracker/sensor/batch_list", { trackers: many })).status.code).toBe(221);
  expect((await account.call("/tracker/sensor/batch_list", { trackers: many.slice(1) })).status.code).toBe(217);
});

test("tracker/sensor/input_name/list names each input once", async () => {
  const { list } = await account.must("/tracker/sensor/input_name/list");
  const names = list.map(({ input_name }: Reply) => input_name);
  expect(names).toEqual(expect.arrayContaining(["lls_level_16", "can_axle_load_15", "obd_coolant_t"]));
  expect(new Set(names).size).toBe(names.length);
});

function virtual(parameters: object) {
  return { ...engine, sensor_type: "state", parameters: { calc_method: "identity", ...parameters } };
}

function bit(bit_index: number) {
  return virtual({ calc_method: "bit_index", bit_index });
}

function withTitles(count: number, different = count) {
  const titles = Array.from({ length: count }, (_, index) => ({ value: `${index % different}`, title: "T" }));
  return virtual({ value_titles: titles });
}
