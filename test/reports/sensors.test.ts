import { beforeAll, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { type Account, feed, newAccount, type Reply } from "../tool/call/account.ts";
import { MIDNIGHT, namedValues, newSensors, rawRows, sectionsOf, totalOf } from "../tool/report/report.ts";

const EIGHT = MIDNIGHT + 8 * HOUR_MS;
let account: Account;
let tracker: Reply;
let sensors: Record<string, number> = {};

beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
  tracker = await account.newTracker();
  sensors = await newSensors(account, tracker.id);
  await feed(tracker.source.device_id, newPoints());
});

/** Half an hour, a point a minute: warmer by a degree each; 10 liters used, 50 filled in at minute 10, 20 gone at 20. */
function newPoints() {
  return Array.from({ length: 31 }, (_, minute) => ({
    ...{ time: EIGHT + minute * MINUTE_MS, lat: 50, lng: 8, speed: 0 },
    inputs: [true, minute >= 5 && minute < 15],
    attributes: {
      ext_temp_sensor_1: 100 + minute * 10,
      lls_level_1: 40 - minute / 3 + (minute >= 10 ? 50 : 0) - (minute >= 20 ? 20 : 0),
      flow_1: minute * 2,
    },
  }));
}

const report = (plugin_id: number, names: string[], parameters: object = {}) =>
  sectionsOf(account, tracker.id, {
    ...{ plugin_id, ...parameters },
    ...(names.length > 0 && { sensors: names.map((name) => ({ tracker_id: tracker.id, sensor_id: sensors[name] })) }),
  });

test.each([9, 22])(
  "report plugin %i shows a sensor's least, greatest and average value for each day and interval",
  async (id) => {
    const [days, intervals] = await report(id, ["temperature"], { details_interval_seconds: 600 });
    const values = newPoints().map(({ attributes }) => attributes.ext_temp_sensor_1 / 10);
    const mean = (all: number[]) => all.reduce((sum, value) => sum + value, 0) / all.length;
    expect(rawRows(days)).toMatchObject([{ min: 10, max: 40, avg: mean(values), readings: 31 }]);
    expect(rawRows(intervals)).toMatchObject(
      [0, 10, 20, 30].map((start) => {
        const part = values.slice(start, start + 10);
        return { min: Math.min(...part), max: Math.max(...part), avg: mean(part), readings: part.length };
      }),
    );
  },
);

test("fuel that comes or goes at once is no consumption, and start, end, fillings and drains come to what was used", async () => {
  const [changes, days, summary] = await report(10, []);
  // A third of a liter a minute is used besides.
  expect(rawRows(changes)).toMatchObject([
    { start: EIGHT + 9 * MINUTE_MS, before: 37, after: 86.67, volume: 49.67 },
    { start: EIGHT + 19 * MINUTE_MS, before: 83.67, after: 63.33, volume: -20.33 },
  ]);
  expect(rawRows(days)).toMatchObject([{ start: 40, end: 60, filled: 49.67, drained: 20.33, consumed: 9.33 }]);
  expect(Object.values(namedValues(summary))).toEqual([49.67, 1, 20.33, 9.33]);
  const [refuels, refuelDays] = await report(95, []);
  expect(rawRows(refuels)).toMatchObject([{ volume: 49.67 }]);
  expect(rawRows(refuelDays)).toMatchObject([{ consumed: 29.67 }]);
});

test("a reading far from both of its neighbours is none where surges are filtered", async () => {
  const { id, source } = await account.newTracker();
  const sensor = { type: "metering", sensor_type: "fuel", name: "Tank", input_name: "lls_level_1" };
  await account.must("/tracker/sensor/create", { tracker_id: id, sensor: { ...sensor, parameters: { volume: 100 } } });
  const points = newPoints().map((point, minute) => ({
    ...point,
    attributes: { lls_level_1: minute === 12 ? 95 : 40 },
  }));
  await feed(source.device_id, points);
  const changes = async (surge_filter: boolean) =>
    rawRows((await sectionsOf(account, id, { plugin_id: 10, surge_filter }))[0]).length;
  expect(await changes(true)).toBe(0);
  expect(await changes(false)).toBeGreaterThan(0);
});

test("a flow meter's consumption is what it rose by", async () => {
  const [table] = await report(78, []);
  expect(rawRows(table)).toMatchObject([{ consumed: 60 }]);
});

test("equipment works while its input is on, for no less than asked for", async () => {
  const [days, runs] = await report(12, ["pump"], { show_idle_percent: true });
  expect(rawRows(runs)).toMatchObject([
    { start: EIGHT + 5 * MINUTE_MS, end: EIGHT + 15 * MINUTE_MS, time: 600, idle: 100 },
  ]);
  expect(totalOf(days, "time")).toBe(600);
  const [none] = await report(12, ["pump"], { min_working_period_duration: 601 });
  expect(rawRows(none)).toEqual([]);
});

test("movement that is no drive, and readings during it, count only without the filter", async () => {
  const own = await account.newTracker();
  const sensor = (name: string, more: object) => ({ tracker_id: own.id, sensor: { name, divider: 1, ...more } });
  const metering = (input_name: string, sensor_type: string) => ({ type: "metering", sensor_type, input_name });
  const create = async (given: object) => (await account.must("/tracker/sensor/create", given)).id;
  const warmth = await create(sensor("Warmth", metering("ext_temp_sensor_1", "temperature")));
  const pump = await create(sensor("Pump", { type: "discrete", sensor_type: "custom", input_number: 1 }));
  await create(sensor("Flow", metering("flow_1", "flow_meter")));
  await create(sensor("Tank", { ...metering("lls_level_1", "fuel"), parameters: { volume: 100 } }));
  // The step to the first point that is fast enough belongs to no drive.
  // Ten minutes standing, two at walking speed within a yard, ten standing: each half minute a point.
  const points = Array.from({ length: 45 }, (_, index) => {
    const [isMoving, moved] = [index > 20 && index <= 24, Math.max(0, Math.min(4, index - 20))];
    const attributes = { ext_temp_sensor_1: isMoving ? 90 : 20, flow_1: index, lls_level_1: 50 };
    const place = { lat: 50 + moved * 0.0004, lng: 8, speed: isMoving ? 5 : 0 };
    return { time: EIGHT + index * 30_000, ...place, inputs: [true], attributes };
  });
  await feed(own.source.device_id, points);
  const sensorsOf = (sensor_id: number) => ({ sensors: [{ tracker_id: own.id, sensor_id }] });
  const both = async (plugin: object, pick: (sections: Reply[]) => unknown) =>
    [true, false].map(async (filter) => pick(await sectionsOf(account, own.id, { ...plugin, filter })));
  const shown = async (plugin: object, pick: (sections: Reply[]) => unknown) => Promise.all(await both(plugin, pick));
  expect(await shown({ plugin_id: 7 }, ([days]) => totalOf(days, "mileage"))).toEqual([0.04, 0.18]);
  expect(await shown({ plugin_id: 7 }, ([days]) => totalOf(days, "in_movement"))).toEqual([0, 90]);
  expect(await shown({ plugin_id: 12, ...sensorsOf(pump) }, ([days]) => totalOf(days, "mileage"))).toEqual([
    0.04, 0.18,
  ]);
  expect(await shown({ plugin_id: 78 }, ([days]) => totalOf(days, "mileage"))).toEqual([0.04, 0.18]);
  expect(await shown({ plugin_id: 78 }, ([days]) => totalOf(days, "consumed"))).toEqual([44, 44]);
  expect(await shown({ plugin_id: 10 }, ([, days]) => totalOf(days, "mileage"))).toEqual([0.04, 0.18]);
  expect(await shown({ plugin_id: 9, ...sensorsOf(warmth) }, ([days]) => days.data[0].total.max.raw)).toEqual([20, 90]);
});
