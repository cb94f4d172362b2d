import { beforeAll, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, feed, newAccount, type Reply, UNKNOWN_ID } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { lengthOf } from "../tool/report/plain.ts";
import {
  expectLength,
  generate,
  leg,
  MIDNIGHT,
  namedValues,
  rawRows,
  sectionsOf,
  textRows,
  totalOf,
} from "../tool/report/report.ts";
import { stack } from "../tool/system/stack.ts";

const EIGHT = MIDNIGHT + 8 * HOUR_MS;
let account: Account;
let tracker: Reply;

/** Ten minutes at 72 km/h, ten at 126 with a hard stop at the end, then ten standing with the engine on. */
beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
  tracker = await account.newTracker();
  const fast = leg({ start: EIGHT + 10 * MINUTE_MS + 10_000, minutes: 10, speed: 126, inputs: [true], lat: 50.11 });
  await feed(tracker.source.device_id, [
    ...leg({ start: EIGHT, minutes: 10, speed: 72, inputs: [true] }),
    ...fast.map((point, index) => (index === 60 ? { ...point, attributes: { alarm: "hardBraking" } } : point)),
    ...leg({ start: EIGHT + 20 * MINUTE_MS + 20_000, minutes: 10, inputs: [true], lat: 50.3 }),
  ]);
});

test("eco driving counts speeding by its excess, harsh driving that the device reported, and idling", async () => {
  const plugin = {
    ...{ plugin_id: 46, speed_limit: 90, idling_penalty: 5, min_idling_duration: 5, min_speeding_duration: 1 },
    speeding_penalties: { 10: 2, 20: 10, 30: 25, 50: 75 },
    harsh_driving_penalties: { harshBraking: 7, harshTurn: 3 },
  };
  const [table, summary] = await sectionsOf(account, tracker.id, plugin);
  expect(textRows(table).map(({ type, detail }) => [type, detail])).toEqual([
    ["Speeding", "126 km/h"],
    ["Harsh driving", "harshBraking"],
    ["Idling", ""],
  ]);
  expect(rawRows(table).map(({ penalty, duration }) => [penalty, duration])).toEqual([
    [25, 600],
    [7, 0],
    [5, 600],
  ]);
  expect(namedValues(summary)).toMatchObject({ Penalties: 37, Speeding: 25, "Harsh driving": 7, Idling: 5 });
  const own = { vehicle: { label: "Van", tracker_id: tracker.id, max_speed: 130 } };
  await account.must("/vehicle/create", own);
  const [slower] = await sectionsOf(account, tracker.id, { ...plugin, use_vehicle_speed_limit: true });
  expect(textRows(slower).map(({ type }) => type)).toEqual(["Harsh driving", "Idling"]);
});

const timeOf = (ms: number) => writeUtc(ms).slice(11);

test("eco driving of an employee counts from when it was put on the tracker", async () => {
  const own = await account.newTracker();
  const employee = { first_name: "Ann", last_name: "Lee" };
  const { id } = await account.must("/employee/create", { employee });
  await account.must("/tracker/employee/assign", { tracker_id: own.id, new_employee_id: id });
  // A minute ago, so that the points around it are past.
  const assigned = Math.floor(systemNow() / 1000) * 1000 - MINUTE_MS;
  await stack.change("fleet", "UPDATE driver_change SET changed = ? WHERE tracker_id = ?", assigned, own.id);
  const points = Array.from({ length: 12 }, (_, second) => ({
    ...{ time: assigned + (second - 9) * 1000, lat: 50 + second * 0.0004, lng: 8, speed: 150, inputs: [true] },
  }));
  await feed(own.source.device_id, points);
  const range = { from: writeUtc(assigned - HOUR_MS), to: writeUtc(assigned + HOUR_MS) };
  const plugin = { min_speeding_duration: 0, speed_limit: 90 };
  const [ofTracker] = await sectionsOf(account, own.id, { plugin_id: 46, ...plugin }, range);
  expect(rawRows(ofTracker).map(({ duration }) => duration)).toEqual([11]);
  const report_id = await generate(account, { employees: [id], plugin: { plugin_id: 82, ...plugin }, ...range });
  // The tracker decides who may read the report.
  const rows = await stack.rowsOf("reports", "report");
  expect(rows.find((row) => row.id === report_id)?.trackers).toBe(JSON.stringify([own.id]));
  const { report } = await account.must("/report/tracker/retrieve", { report_id });
  expect(report.sheets).toMatchObject([{ header: "Ann Lee", entity_ids: [id] }]);
  const [row] = rawRows(report.sheets[0].sections[0]);
  expect(row?.time).toBeGreaterThan(assigned - 1500);
  expect(row?.duration).toBeLessThanOrEqual(3);
  // By the change that another report tells of, what each point says is counted as anybody would.
  const [changes] = await sectionsOf(account, own.id, { plugin_id: 66 }, range);
  const since = rawRows(changes)[0]?.time ?? 0;
  const driven = points.filter(({ time }) => time >= since);
  expect(row?.duration).toBe(driven.length - 1);
  const judged = namedValues(report.sheets[0].sections[1]);
  expect(judged).toMatchObject({ Penalties: 75, Speeding: 75, "Harsh driving": 0, Idling: 0 });
  const before = points[points.length - driven.length - 1];
  expectLength(judged["Mileage, km"], lengthOf([...(before ? [before] : []), ...driven]));
  // A driver who was assigned before the filter's hours drives within them.
  const filtered = { ...range, time_filter: { from: timeOf(assigned + 1000), to: timeOf(assigned + HOUR_MS) } };
  const [byDriver] = await sectionsOf(
    account,
    own.id,
    { plugin_id: 27, max_speed: 90, group_by_driver: true },
    filtered,
  );
  expect(byDriver.data.map(({ header }: Reply) => header)).toEqual(["Ann Lee : 1"]);
  const code = async (parameters: object) =>
    (await account.call("/report/tracker/generate", { ...range, plugin: { plugin_id: 82 }, ...parameters })).status
      .code;
  expect(await code({ employees: [UNKNOWN_ID] })).toBe(217);
  expect(await code({ trackers: [own.id] })).toBe(7);
});

test("trips are divided between the regions that they lead through, and all of them come to the whole", async () => {
  const [trips] = await sectionsOf(account, tracker.id, { plugin_id: 4 });
  const [table] = await sectionsOf(account, tracker.id, { plugin_id: 73, group_type: "country" });
  expect(table.data.map(({ header }: Reply) => header)).toEqual(["Germany : 1"]);
  expect(totalOf(table, "time")).toBe(totalOf(trips, "time"));
  expect(totalOf(table, "mileage")).toBeCloseTo(totalOf(trips, "length"), 0);
  const [provinces] = await sectionsOf(account, tracker.id, { plugin_id: 73 });
  expect(provinces.data.length).toBeGreaterThan(0);
  expect(totalOf(provinces, "time")).toBe(totalOf(trips, "time"));
});
