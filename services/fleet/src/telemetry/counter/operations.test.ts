import { beforeAll, expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/duration.ts";
import exact from "#test/fixtures/geometry/geodesic-cases.json" with { type: "json" };
import { type Account, feed, newAccount, operator, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { writeUtc } from "#test/tool/call/utc-time.ts";

/** Degrees of latitude that make a kilometer at 50 degrees north. */
const KILOMETER = 1 / 111.229;
const start = Math.floor((systemNow() - 20 * HOUR_MS) / HOUR_MS) * HOUR_MS;

let account: Account;

beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
});

/** Points of a drive north, a kilometer a minute; `more` gives further members by the minute. */
function drive(from: number, to: number, more: (minute: number) => object = () => ({})) {
  return Array.from({ length: to - from }, (_, index) => {
    const minute = from + index;
    return { time: start + minute * MINUTE_MS, lat: 50 + minute * KILOMETER, lng: 8, ...more(minute) };
  });
}

async function newTracker() {
  const { id, source } = await account.newTracker();
  const tracker_id = Number(id);
  const get = (type = "odometer") => account.call("/tracker/counter/value/get", { tracker_id, type });
  return {
    tracker_id,
    get,
    send: (points: object[]) => feed(source.device_id, points),
    value: async (type?: string) => (await get(type)).value,
    set: (value: number, type = "odometer") => account.must("/tracker/counter/value/set", { tracker_id, type, value }),
    change: (parameters: object) =>
      account.call("/tracker/counter/update", { tracker_id, type: "odometer", multiplier: 1, ...parameters }),
    sensor: (sensor: object) => account.must("/tracker/sensor/create", { tracker_id, sensor }),
    data: async (type: string, from = start - HOUR_MS, to = start + DAY_MS) => {
      const range = { from: writeUtc(from), to: writeUtc(to) };
      return account.call("/tracker/counter/data/read", { tracker_id, type, ...range });
    },
  };
}

test("a counter has no value before the first point; then the odometer sums all points, and goes on from a set value", async () => {
  const { tracker_id, get, value, send, set } = await newTracker();
  for (const type of ["odometer", "engine_hours", "fuel_consumed"]) expect((await get(type)).status.code).toBe(204);
  expect((await account.must("/tracker/get_counters", { tracker_id })).list).toEqual([]);
  await send(drive(0, 11));
  expect(await value()).toBeCloseTo(10, 2);
  await set(1000);
  expect(await value()).toBe(1000);
  await send(drive(11, 21));
  expect(await value()).toBeCloseTo(1010, 2);
  await set(5);
  await set(-2.5);
  expect(await value()).toBe(-2.5);
  const { list, user_time } = await account.must("/tracker/get_counters", { tracker_id });
  expect(list).toMatchObject([
    { type: "odometer", value: -2.5 },
    { type: "engine_hours", value: 0 },
  ]);
  expect(Math.abs(Date.parse(list[0].update_time) - Date.parse(user_time))).toBeLessThan(MINUTE_MS);
  const readings = await account.must("/tracker/readings/list", { tracker_id });
  expect(readings.counters).toEqual(list);
});

test("a counter value that is set before the first point is the value at the first point", async () => {
  const { send, set, value } = await newTracker();
  await set(7);
  await set(3, "fuel_consumed");
  expect([await value(), await value("fuel_consumed")]).toEqual([7, 3]);
  await send(drive(0, 3));
  expect(await value()).toBeCloseTo(9, 2);
  expect(await value("fuel_consumed")).toBe(3);
});

test("late points correct a counter, but no value set after them, and points sent twice count once", async () => {
  const { send, set, value } = await newTracker();
  const aside = { ...drive(5, 6)[0], lng: 8.02 };
  await send([...drive(0, 5), ...drive(6, 11)]);
  expect(await value()).toBeCloseTo(10, 2);
  await send([aside]);
  const [detour] = [await value()];
  expect(detour).toBeGreaterThan(11);
  await send([aside, ...drive(0, 5)]);
  expect(await value()).toBe(detour);
  await set(100);
  await send([
    { ...aside, time: aside.time ?? 0, lng: 8.03 },
    { ...drive(8, 9)[0], lng: 8.01 },
  ]);
  expect(await value()).toBe(100);
});

test("the odometer's way between two points is within 0.1 % of the exact one", async () => {
  for (const way of exact.cases.slice(0, 6)) {
    const { send, value } = await newTracker();
    // The drive begins so early that no step exceeds 300 km/h.
    const time = systemNow() - (Math.ceil(way.meters / 1000 / 300) + 1) * HOUR_MS;
    await send([
      { time, lat: way.lat1, lng: onEarth(way.lng1) },
      { time: systemNow(), lat: way.lat2, lng: onEarth(way.lng2) },
    ]);
    expect(Math.abs((await value()) / (way.meters / 1000) - 1)).toBeLessThan(0.001);
  }
});

test("engine hours count the ignition from input 1, a sensor's input or a virtual sensor, each from its creation on", async () => {
  const { tracker_id, send, sensor, value } = await newTracker();
  const both = (minute: number) => ({
    inputs: [minute < 60, minute >= 30],
    attributes: { board_voltage: minute / 10 },
  });
  await send(drive(0, 61, both));
  expect(await value("engine_hours")).toBeCloseTo(1, 6);
  const ignition = await sensor({ type: "discrete", sensor_type: "ignition", name: "Ignition", input_number: 2 });
  expect(await value("engine_hours")).toBeCloseTo(1, 6);
  await send(drive(61, 91, both));
  expect(await value("engine_hours")).toBeCloseTo(1.5, 6);
  await account.must("/tracker/sensor/delete", { tracker_id, sensor_id: ignition.id });
  const parameters = { calc_method: "in_range", range_from: 9, range_to: 10 };
  await sensor({
    type: "virtual",
    sensor_type: "virtual_ignition",
    name: "V",
    input_name: "board_voltage",
    parameters,
  });
  await send(drive(91, 121, both));
  // The ignition is on from minute 90, when it had counted 9.0, to minute 101.
  expect(await value("engine_hours")).toBeCloseTo(1.5 + 11 / 60, 6);
});

test("the fuel counter adds up consumption sensors: some by their totals, others by their flow", async () => {
  const { send, sensor, value, get } = await newTracker();
  const metering = { type: "metering", units_type: "litre" };
  await sensor({ ...metering, sensor_type: "instant_consumption", name: "Flow", input_name: "flow" });
  const attributes = (minute: number) => ({ attributes: { flow: 6, used: 1000 + minute, more: String(minute) } });
  expect((await get("fuel_consumed")).status?.code).toBe(204);
  await send(drive(0, 61, attributes));
  expect(await value("fuel_consumed")).toBeCloseTo(6, 6);
  await sensor({ ...metering, sensor_type: "fuel_consumption", name: "Used", input_name: "used", divider: 10 });
  await sensor({ ...metering, sensor_type: "fuel_consumption", name: "More", input_name: "more" });
  await send(drive(61, 71, attributes));
  expect(await value("fuel_consumed")).toBeCloseTo(6 + 1 + 10, 6);
});

test("a multiplier and an odometer's sensor count from their change on", async () => {
  const { tracker_id, send, sensor, value, change } = await newTracker();
  const attributes = (minute: number) => ({ attributes: { hw_mileage: 2000 + minute * 20 } });
  await send(drive(0, 11, attributes));
  expect(await change({ multiplier: 1.5 })).toEqual({ success: true });
  expect(await value()).toBeCloseTo(10, 2);
  await send(drive(11, 21, attributes));
  expect(await value()).toBeCloseTo(25, 2);
  const counter = { tracker_id, type: "odometer" };
  const { value: read } = await account.must("/tracker/counter/read", counter);
  expect(read).toEqual({ id: read.id, type: "odometer", multiplier: 1.5 });
  const mileage = { type: "metering", sensor_type: "custom", name: "Km", input_name: "hw_mileage", divider: 10 };
  const { id } = await sensor(mileage);
  expect(await change({ sensor_id: id })).toEqual({ success: true });
  await send(drive(21, 31, attributes));
  expect(await value()).toBeCloseTo(45, 2);
  // Without `sensor_id` the counter keeps its sensor, with null it loses it.
  expect(await change({ multiplier: 0.5 })).toEqual({ success: true });
  await send(drive(31, 36, attributes));
  expect(await value()).toBeCloseTo(50, 2);
  expect(await change({ sensor_id: null })).toEqual({ success: true });
  await send(drive(36, 41, attributes));
  expect(await value()).toBeCloseTo(55, 2);
  expect(await change({ sensor_id: id })).toEqual({ success: true });
  await account.must("/tracker/sensor/delete", { tracker_id, sensor_id: id });
  await send(drive(41, 51, attributes));
  expect(await value()).toBeCloseTo(65, 2);
});

test("tracker/counter/data/read gives past values hour by hour as they were counted, and set values at their moment", async () => {
  const { send, set, change, data } = await newTracker();
  await send(drive(0, 121, () => ({ inputs: [true] })));
  const before = Math.floor(systemNow() / SECOND_MS) * SECOND_MS;
  await set(1000);
  const after = systemNow();
  await send(drive(121, 241));
  await change({ multiplier: 2 });
  await send(drive(241, 301));
  const { list } = await data("odometer");
  const counted = list.slice(0, -1);
  expect(counted.map(({ update_time }: Reply) => update_time)).toEqual(
    [59, 119, 120, 179, 239, 240, 299, 300].map((minute) => writeUtc(start + minute * MINUTE_MS)),
  );
  const values = counted.map(({ value }: Reply) => Math.round(value));
  expect(values).toEqual([59, 119, 120, 179, 239, 240, 358, 360]);
  expect(list.at(-1).value).toBe(1000);
  const setAt = Date.parse(`${list.at(-1).update_time}Z`);
  expect(setAt).toBeGreaterThanOrEqual(before);
  expect(setAt).toBeLessThanOrEqual(after);
  const hours = (await data("engine_hours")).list.map(({ value }: Reply) => value);
  expect(hours[0]).toBeCloseTo(59 / 60, 6);
  const some = await data("odometer", start + HOUR_MS, start + 2 * HOUR_MS);
  expect(some.list).toEqual(list.slice(1, 3));
});

test("tracker/counter/data/read gives set values without any point, and later values go on from there", async () => {
  const { send, set, data } = await newTracker();
  await set(40);
  await set(50);
  const values = async () => (await data("odometer")).list.map(({ value }: Reply) => Math.round(value));
  expect(await values()).toEqual([40, 50]);
  await set(5, "fuel_consumed");
  const before = systemNow() - MINUTE_MS;
  expect(await data("odometer", before - DAY_MS, before)).toEqual({ success: true, list: [] });
  // Points of a device whose clock is ahead are later than the moment at which the value was set.
  const ahead = (minutes: number) => ({
    time: systemNow() + minutes * MINUTE_MS,
    lat: 50 + 2 * minutes * KILOMETER,
    lng: 8,
  });
  await send([ahead(0.5), ahead(1), ahead(1.5)]);
  const counted = await values();
  expect([counted.slice(0, 2), counted.at(-1)]).toEqual([[40, 50], 52]);
  const fuel = (await data("fuel_consumed")).list;
  expect(fuel.map(({ value }: Reply) => value)).toEqual(Array(fuel.length).fill(5));
});

test("counters stay as they were once points are in the database, also with late points", async () => {
  const { tracker_id, send, value, data } = await newTracker();
  const at = (index: number) => ({
    ...{ time: start + index * 10_000, lat: 50 + (index * KILOMETER) / 10, lng: 8, inputs: [index % 2 === 0] },
  });
  const points = Array.from({ length: 5000 }, (_, index) => at(index));
  const late = points.splice(1000, 10);
  for (let first = 0; first < points.length; first += 1000) await send(points.slice(first, first + 1000));
  const way = await value();
  expect(way).toBeCloseTo(500.09, 1);
  // The ignition is on after every second point; late points are not stored yet.
  expect(await value("engine_hours")).toBeCloseTo((2495 * 10) / 3600, 4);
  await send(late);
  expect(await value("engine_hours")).toBeCloseTo((2500 * 10) / 3600, 4);
  expect(await value()).toBeCloseTo(way, 3);
  const { list } = await data("odometer");
  expect(list.at(-1).value).toBe(await value());
  expect(list.length).toBeGreaterThanOrEqual(14);
  const { value: all } = await account.must("/tracker/counter/value/list", {
    trackers: [tracker_id],
    type: "odometer",
  });
  expect(all).toEqual({ [tracker_id]: await value() });
});

test("tracker/counter/data/read gives at most 31 days forward in time, and checks types and sensors by name", async () => {
  const { tracker_id, data, change, sensor, get } = await newTracker();
  expect(await data("odometer", start - 31 * DAY_MS, start)).toEqual({ success: true, list: [] });
  const refused = (parameter: string) => ({ status: { code: 7 }, errors: [{ parameter }] });
  expect(await data("odometer", start - 31 * DAY_MS - 1000, start)).toMatchObject(refused("to"));
  expect(await data("odometer", start, start - 1000)).toMatchObject(refused("to"));
  expect(await data("odometer", start, start)).toMatchObject({ success: true });
  expect((await data("fuel_consumed")).status.code).toBe(204);
  expect(await get("speed")).toMatchObject(refused("type"));
  const other = await newTracker();
  const level = { type: "metering", sensor_type: "fuel", name: "Tank", input_name: "fuel_level" };
  const { id: foreign } = await other.sensor(level);
  const { id: own } = await sensor(level);
  const { id: discrete } = await sensor({ type: "discrete", sensor_type: "door", name: "D", input_number: 3 });
  const parameters = { parent_ids: [own] };
  const { id: sum } = await sensor({ ...level, input_name: "composite", group_type: "sum", parameters });
  for (const sensor_id of [foreign, discrete, sum, UNKNOWN_ID, -1]) {
    expect(await change({ sensor_id })).toMatchObject(refused("sensor_id"));
  }
  expect(await change({ type: "engine_hours", sensor_id: own })).toMatchObject(refused("sensor_id"));
  expect(await change({ multiplier: undefined })).toMatchObject(refused("multiplier"));
  expect((await change({ type: "fuel_consumed" })).status.code).toBe(204);
  expect(await change({ sensor_id: own })).toMatchObject({ success: true });
  const missing = { tracker_id, type: "fuel_consumed" };
  expect((await account.call("/tracker/counter/read", missing)).status.code).toBe(204);
});

test("a clone shows its original's counters and changes none; foreign and blocked trackers and long lists are refused", async () => {
  const { tracker_id, send, value } = await newTracker();
  await send(drive(0, 3));
  const viewer = await newAccount();
  const { id: clone } = await operator.must("/panel/tracker/clone", { tracker_id, user_id: viewer.id, label: "Clone" });
  const calls = (id: number, type = "odometer"): Record<string, object> => ({
    "counter/read": { tracker_id: id, type },
    "counter/update": { tracker_id: id, type, multiplier: 2 },
    "counter/value/set": { tracker_id: id, type, value: 1 },
    get_counters: { tracker_id: id },
    "counter/value/get": { tracker_id: id, type },
    "counter/data/read": { tracker_id: id, type, from: writeUtc(start), to: writeUtc(start + HOUR_MS) },
  });
  const codes = async (caller: Account, id: number) => {
    const replies = Object.entries(calls(id)).map(([path, parameters]) => caller.call(`/tracker/${path}`, parameters));
    return (await Promise.all(replies)).map(({ status }: Reply) => status?.code);
  };
  expect(await codes(viewer, clone)).toEqual([219, 219, 219, undefined, undefined, undefined]);
  const seen = await viewer.must("/tracker/counter/value/get", { tracker_id: clone, type: "odometer" });
  expect(seen.value).toBe(await value());
  expect(await codes(viewer, tracker_id)).toEqual(Array(6).fill(204));
  expect(await codes(viewer, UNKNOWN_ID)).toEqual(Array(6).fill(204));
  await operator.must("/panel/tracker/source/update", { tracker_id, blocked: true });
  expect(await codes(account, tracker_id)).toEqual(Array(6).fill(208));
  const list = (trackers: number[]) => account.call("/tracker/counter/value/list", { trackers, type: "odometer" });
  const { id: fresh } = await account.newTracker();
  expect(await list([fresh])).toEqual({ success: true, value: {} });
  expect((await list([fresh, tracker_id])).status.code).toBe(217);
  expect((await list([fresh, UNKNOWN_ID])).status.code).toBe(217);
  const many = Array.from({ length: 2001 }, (_, index) => UNKNOWN_ID - index);
  expect((await list(many)).status.code).toBe(7);
  expect((await list(many.slice(1))).status.code).toBe(217);
});

test("tracker/counter/value/set leaves one of the values when several are set at once", async () => {
  const { value, set } = await newTracker();
  const values = Array.from({ length: 8 }, (_, index) => index + 1);
  await Promise.all(values.map((one) => set(one, "fuel_consumed")));
  expect(values).toContain(await value("fuel_consumed"));
});

function onEarth(lng: number) {
  return lng > 180 ? lng - 360 : lng;
}

test("tracker/counter/value/set and update refuse numbers that are too large by name", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const counter = { tracker_id, type: "odometer" };
  for (const [path, name] of [
    ["/tracker/counter/value/set", "value"],
    ["/tracker/counter/update", "multiplier"],
  ] as const) {
    await account.must(path, { ...counter, [name]: -1e12 });
    const refused = await account.call(path, { ...counter, [name]: 1e13 });
    expect([refused.status.code, refused.errors[0].parameter]).toEqual([7, name]);
  }
});
