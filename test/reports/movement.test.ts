import { beforeAll, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { type Account, feed, newAccount, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { lengthOf } from "../tool/report/plain.ts";
import {
  DAY,
  expectLength,
  generate,
  leg,
  MIDNIGHT,
  namedValues,
  rawRows,
  sectionsOf,
  sendAll,
  textRows,
  totalOf,
} from "../tool/report/report.ts";

const [ON, OFF] = [[true], [false]];
let account: Account;
let tracker: Reply;

const START = MIDNIGHT + 8 * HOUR_MS;
/** A day from 08:00: 10 minutes driven, 20 stood with the engine on, 30 with it off, 30 driven, then parked. */
const points = [
  ...leg({ start: START, minutes: 10, speed: 36, inputs: ON }),
  ...leg({ start: START + 10 * MINUTE_MS + 10_000, minutes: 20, inputs: ON, lat: 50.054 }),
  ...leg({ start: START + 30 * MINUTE_MS + 20_000, minutes: 30, inputs: OFF, lat: 50.054 }),
  ...leg({ start: START + 60 * MINUTE_MS + 30_000, minutes: 30, speed: 72, inputs: ON, lat: 50.054 }),
  ...leg({ start: START + 90 * MINUTE_MS + 40_000, minutes: 20, inputs: OFF, lat: 50.4 }),
];

beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
  tracker = await account.newTracker();
  await sendAll(tracker.source.device_id, points);
});

const report = (plugin: object, parameters: object = {}) => sectionsOf(account, tracker.id, plugin, parameters);

test("engine hours are the times between points that report a running engine, in movement and idling", async () => {
  const [days, runs, summary] = await report({ plugin_id: 7, show_detailed: true });
  // On at 0, off at 30:20; on at 60:30, off at 90:40.
  const [first, second] = [30 * 60 + 20, 30 * 60 + 10];
  expect(rawRows(runs).map(({ hours }) => hours)).toEqual([first, second]);
  expect(totalOf(days, "hours")).toBe(first + second);
  const moved = 10 * 60 + 30 * 60;
  expect(totalOf(days, "in_movement")).toBeGreaterThanOrEqual(moved - 20);
  expect(totalOf(days, "in_movement")).toBeLessThanOrEqual(moved + 20);
  expect(totalOf(days, "idling")).toBe(totalOf(days, "hours") - totalOf(days, "in_movement"));
  expect(totalOf(days, "mileage")).toBeCloseTo((10 / 60) * 36 + (30 / 60) * 72, 0);
  expect(totalOf(days, "intervals")).toBe(2);
  expect(namedValues(summary)["Engine hours"]).toBe(Math.round((first + second) / 60));
});

test("the summary of trips says what the odometer showed when the range ended, whatever it was set to since", async () => {
  const shown = async (parameters: object = {}) => {
    const [_rows, summary, note] = await report({ plugin_id: 4 }, parameters);
    return [namedValues(summary)["Odometer value, km"], note?.text] as const;
  };
  const [whole, note] = await shown();
  expectLength(whole, lengthOf(points));
  expect(note).toBe("Odometer value at the end of the selected period.");
  const [first] = await shown({ to: writeUtc(MIDNIGHT + 8.5 * HOUR_MS) });
  expectLength(first, lengthOf(points.filter(({ time }) => time <= MIDNIGHT + 8.5 * HOUR_MS)));
  await account.must("/tracker/counter/value/set", { tracker_id: tracker.id, type: "odometer", value: 5000 });
  expect((await shown())[0]).toBe(whole);
});

test("a stop says for how long of it the engine ran", async () => {
  const [table] = await report({ plugin_id: 6 });
  const [stop] = rawRows(table);
  expect(stop?.duration).toBeGreaterThanOrEqual(50 * 60);
  expect(stop?.engine).toBeGreaterThanOrEqual(20 * 60);
  expect(stop?.engine).toBeLessThanOrEqual(20 * 60 + 30);
  expect(stop?.engine_share).toBe(Math.round(((stop?.engine ?? 0) / (stop?.duration ?? 1)) * 100));
});

test("shifts divide trips and stops by time, and all of them together are the whole", async () => {
  const shifts = [
    { name: "Early", start_time: "06:00", end_time: "09:15" },
    { name: "Late", start_time: "09:15", end_time: "22:00" },
    { name: "Night", start_time: "22:00", end_time: "06:00" },
  ];
  const [trips] = await report({ plugin_id: 4 });
  const [table, byShift] = await report({ plugin_id: 77, shifts });
  expect(textRows(table).map(({ type }) => type)).toEqual(["Trip", "Stop", "Trip", "Trip"]);
  expect(totalOf(table, "trip_time")).toBe(totalOf(trips, "time"));
  expect(totalOf(table, "length")).toBeCloseTo(totalOf(trips, "length"), 1);
  const [lengths, times] = rawRows(byShift);
  // The second trip begins at 09:00:30: its part after 09:15 is of the late shift.
  const second = rawRows(trips)[1];
  const late = ((second?.to ?? 0) - (MIDNIGHT + 9.25 * HOUR_MS)) / 1000;
  expect(times?.shift_1).toBe(late);
  expect(times?.shift_2).toBe(0);
  expect(lengths?.shift_1).toBeCloseTo(((second?.length ?? 0) * late) / (second?.time ?? 1), 1);
});

test("shifts have names of their own and do not overlap, also over midnight", async () => {
  const code = async (shifts: object[]) => {
    const plugin = { plugin_id: 77, shifts };
    const { errors, status } = await account.call("/report/tracker/generate", {
      trackers: [tracker.id],
      ...DAY,
      plugin,
    });
    return [status?.code, errors?.[0]?.parameter];
  };
  const shift = (name: string, start_time: string, end_time: string) => ({ name, start_time, end_time });
  expect(await code([])).toEqual([7, "plugin.shifts"]);
  expect(await code([shift("A", "06:00", "12:00"), shift("A", "12:00", "14:00")])).toEqual([7, "plugin.shifts"]);
  expect(await code([shift("A", "06:00", "12:00"), shift("B", "11:59", "14:00")])).toEqual([7, "plugin.shifts"]);
  expect(await code([shift("A", "22:00", "06:00"), shift("B", "05:00", "14:00")])).toEqual([7, "plugin.shifts"]);
  expect(await code([shift("A", "6:00", "12:00")])).toEqual([7, "plugin.shifts.0.start_time"]);
});

test("a drive over a limit is a violation for as long as its points are above, with its average and its peak", async () => {
  const [table, summary] = [...(await report({ plugin_id: 27, max_speed: 70 })), undefined];
  expect(summary).toBeUndefined();
  expect(rawRows(table)).toMatchObject([{ duration: 30 * 60, avg_speed: 72, max_speed: 72 }]);
  expect(table.data[0].total).toMatchObject({ duration: { raw: 30 * 60 }, avg_speed: { raw: 72 } });
});

test("trips of a vehicle with a norm say what fuel and money they took, and idling where the report asks for it", async () => {
  const own = await newAccount({ time_zone: "UTC" });
  const { id, source } = await own.newTracker();
  const vehicle = { label: "Van", tracker_id: id, norm_avg_fuel_consumption: 8, fuel_cost: 2 };
  await own.must("/vehicle/create", { vehicle });
  const start = MIDNIGHT + 8 * HOUR_MS;
  await feed(source.device_id, [
    ...leg({ start, minutes: 10, speed: 60, inputs: ON }),
    ...leg({ start: start + 10 * MINUTE_MS + 10_000, minutes: 2, inputs: ON, lat: 50.09 }),
    ...leg({ start: start + 12 * MINUTE_MS + 20_000, minutes: 10, speed: 60, inputs: ON, lat: 50.09 }),
  ]);
  const [table] = await sectionsOf(own, id, { plugin_id: 4, show_idle_duration: true });
  const [trip] = rawRows(table);
  expect(trip?.fuel).toBeCloseTo(((trip?.length ?? 0) * 8) / 100, 1);
  expect(trip?.cost).toBeCloseTo((trip?.fuel ?? 0) * 2, 1);
  expect(trip?.idle).toBeGreaterThanOrEqual(120);
  expect(trip?.idle).toBeLessThanOrEqual(140);
});

test("report/tracker/retrieve with explain answers tracks, times and points of each row, a page of rows at a time", async () => {
  const { list } = await account.must("/track/list", { tracker_id: tracker.id, ...DAY });
  const report_id = await generate(account, { trackers: [tracker.id], plugin: { plugin_id: 4 } });
  const groups = async (parameters: object) =>
    (await account.must("/report/tracker/retrieve", { report_id, ...parameters })).report.sheets[0].sections[0].data;
  expect((await groups({}))[0].sources).toBeUndefined();
  const [{ rows, sources }] = await groups({ explain: true });
  expect(sources.map(({ track_ids }: Reply) => track_ids)).toEqual(list.map(({ id }: Reply) => [id]));
  for (const [index, { from, to, point_count, points }] of sources.entries()) {
    expect([writeUtc(from), writeUtc(to)]).toEqual([list[index].start_date, list[index].end_date]);
    expect([from, to]).toEqual([rows[index].from.raw, rows[index].to.raw]);
    expect(points[0]).toEqual({ time: from, ...rows[index].from.location });
    expect(point_count).toBe(list[index].points);
  }
  const [second] = await groups({ explain: true, source_offset: 1, source_limit: 1 });
  expect(second.sources).toEqual([sources[1]]);
  const violation = await generate(account, { trackers: [tracker.id], plugin: { plugin_id: 27, max_speed: 70 } });
  const { report } = await account.must("/report/tracker/retrieve", { report_id: violation, explain: true });
  expect(report.sheets[0].sections[0].data[0].sources[0]).toMatchObject({ point_count: 181, points: { length: 20 } });
});
