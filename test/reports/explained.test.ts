import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { PLUGINS } from "../../services/reports/src/plugin/all.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, feed, newAccount, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { fixesOf } from "../tool/report/drive.ts";
import { DAY, generate, MIDNIGHT, newSensors, sendAll } from "../tool/report/report.ts";
import { stack } from "../tool/system/stack.ts";

/** A range from the drive to tomorrow, which includes today's tasks. */
const RANGE = { from: DAY.from, to: writeUtc(systemNow() + DAY_MS) };
const EVENTS = [
  ...["sos", "poweron", "poweroff", "detach", "offline", "online", "door_alarm", "location_response"],
  ...["inzone", "outzone"],
];
let account: Account;
/** The order for each plugin with which it has rows to show, with all its optional values. */
let orders: Record<number, Order>;
type Order = { plugin?: object; employees?: number[]; range?: typeof DAY };

beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
  const { id: tracker_id, source } = await account.newTracker();
  const sensors = await newSensors(account, tracker_id);
  const fixes = fixesOf("half-hour-track.gpx");
  const middle = fixes[Math.floor(fixes.length / 2)] ?? { lat: 0, lng: 0 };
  const center = { lat: middle.lat, lng: middle.lng };
  const employee = { first_name: "Ann", last_name: "Lee", location: null };
  const { id: employee_id } = await account.must("/employee/create", { employee });
  const vehicle = { label: "Van", tracker_id, norm_avg_fuel_consumption: 8, fuel_cost: 2 };
  await account.must("/vehicle/create", { vehicle });
  await sendAll(source.device_id, fixes);
  const zone_ids = await newZones(center);
  const place = { label: "Depot", location: { ...center, address: "", radius: 250 } };
  const { id: place_id } = await account.must("/place/create", { place });
  await storeEvents(tracker_id, zone_ids[0] ?? 0);
  await newWork(tracker_id, employee_id, center);
  await driveBy(tracker_id, source.device_id);
  const ofSensor = (name: string) => ({ sensors: [{ tracker_id, sensor_id: sensors[name] }] });
  const eco = { speed_limit: 25, speeding_penalties: { 1: 3 }, min_speeding_duration: 0 };
  const shifts = [
    { name: "Early", start_time: "00:00", end_time: "08:10" },
    { name: "Late", start_time: "08:10", end_time: "23:59" },
  ];
  orders = {
    4: { plugin: { show_idle_duration: true } },
    77: { plugin: { shifts } },
    7: { plugin: { show_detailed: true } },
    27: { plugin: { max_speed: 25 } },
    91: { range: DAY },
    8: { plugin: { zone_ids, show_mileage: true, show_not_visited_zones: true } },
    84: { plugin: { zone_ids, min_minutes_in_zone: 1 } },
    85: { plugin: { place_ids: [place_id], min_minutes_in_place: 1, show_mileage: true } },
    9: { plugin: ofSensor("temperature") },
    22: { plugin: ofSensor("temperature") },
    12: { plugin: { ...ofSensor("pump"), min_working_period_duration: 1, show_idle_percent: true } },
    46: { plugin: eco },
    82: { plugin: eco, employees: [employee_id] },
  };
  trackers = [tracker_id];
});

let trackers: number[];

test.each([...PLUGINS.keys()])("report plugin %i names for each value what it was made of", async (plugin_id) => {
  const { plugin = {}, employees, range = RANGE } = orders[plugin_id] ?? {};
  const { parameters } = PLUGINS.get(plugin_id) ?? {};
  const filter = parameters && "filter" in parameters.shape ? { filter: false } : {};
  const things = employees ? { employees } : { trackers };
  const report_id = await generate(account, { ...range, ...things, plugin: { plugin_id, ...filter, ...plugin } });
  const { report } = await account.must("/report/tracker/retrieve", { report_id, explain: true, source_limit: 10_000 });
  const values = report.sheets.flatMap(({ sections }: Reply) => sections.flatMap(valuesOf)) as Value[];
  // No device reports falls (17).
  expect(values.some(({ isThere }) => isThere)).toBe(plugin_id !== 17);
  const [from, to] = [range.from, range.to].map((local) => Date.parse(`${local.replace(" ", "T")}Z`));
  for (const { where, isThere, source } of values) {
    const label = JSON.stringify([plugin_id, where, source]);
    expect(source, label).toBeDefined();
    expect(source.from, label).toBeGreaterThanOrEqual(plugin_id === 6 ? 0 : (from ?? 0));
    expect(source.to, label).toBeLessThanOrEqual((to ?? 0) + 999);
    expect(source.from, label).toBeLessThanOrEqual(source.to);
    const evidence = [source.track_ids, source.record_ids, source.points].flat();
    if (isThere) expect(evidence, label).not.toEqual([]);
  }
});

test("the sources of a page are those that stand there among all of them, and of others there are none", async () => {
  const report_id = await generate(account, { trackers, plugin: { plugin_id: 4, filter: false, split: true } });
  const retrieved = async (page: object) =>
    (await account.must("/report/tracker/retrieve", { report_id, explain: true, ...page })).report.sheets[0].sections;
  const shownOf = (sections: Reply[]) => sections.flatMap(valuesOf).map(({ source }: Value) => source);
  const all = shownOf(await retrieved({}));
  expect(all.length).toBeGreaterThan(5);
  const pages: Reply[] = [];
  for (let offset = 0; offset < all.length; offset += 2) {
    const sections = await retrieved({ source_offset: offset, source_limit: 2 });
    pages.push(...sections.flatMap(sourcesOf));
  }
  expect(pages).toEqual(all);
});

type Value = { where: string; isThere: boolean; source: Reply };

/** Each value of a section with its source, in the order in which they are counted; words and nothing are not there. */
function valuesOf({ type, header, rows, data = [] }: Reply): Value[] {
  if (type === "map_table") {
    return rows.map(({ name, raw, source }: Reply) => ({ where: `${header}: ${name}`, isThere: raw !== 0, source }));
  }
  return data.flatMap((group: Reply) => [
    ...group.rows.flatMap((row: Reply, index: number) => cellsOf(header, row, group.sources?.[index])),
    ...(group.total ? cellsOf(`${header}, total`, group.total, group.total_source).slice(0, 1) : []),
  ]);
}

/** The values of a row that have sources: the row itself, or each cell that has a source of its own. */
function cellsOf(where: string, row: Reply, source: Reply): Value[] {
  const own = Object.entries<Reply>(source?.cells ?? {});
  if (own.length === 0) return [{ where, isThere: true, source }];
  return own.map(([field, ofCell]) => ({ where: `${where}: ${field}`, isThere: row[field].raw !== 0, source: ofCell }));
}

/** The sources that a page of a section shows. */
function sourcesOf({ rows = [], data = [] }: Reply): Reply[] {
  const ofGroups = data.flatMap(({ sources = [], total_source }: Reply) => [...sources, total_source ?? []].flat());
  return [...ofGroups, ...rows.flatMap(({ source }: Reply) => source ?? [])];
}

/** Makes a zone on the way of the drive, and one far away from it. */
async function newZones(center: object): Promise<number[]> {
  const zones = [
    { type: "circle", label: "Yard", center, radius: 250 },
    { type: "circle", label: "Far", center: { lat: -40, lng: -70 }, radius: 100 },
  ];
  const ids: number[] = [];
  for (const zone of zones) ids.push((await account.must("/zone/create", { zone })).id);
  return ids;
}

async function storeEvents(tracker_id: number, zone_id: number) {
  const events = EVENTS.map((event, index) => ({
    ...{ event_id: randomUUID(), account_id: account.id, tracker_id, event, message: event },
    ...{ time: MIDNIGHT + (10 + index) * HOUR_MS, location: { lat: 50, lng: 8 }, address: "Depot" },
    extra: { zone_ids: [zone_id], zone_labels: ["Yard"] },
  }));
  await stack.storeEvents(events as Parameters<typeof stack.storeEvents>[0]);
}

/** A task, a check-in with a form, a driver and a status. */
async function newWork(tracker_id: number, new_employee_id: number, center: object) {
  const location = { ...center, address: "Dock Road 1" };
  const times = { from: writeUtc(systemNow()), to: writeUtc(systemNow() + HOUR_MS) };
  const task = { label: "Deliver", description: "", location: { ...location, radius: 100 }, tracker_id, ...times };
  await account.must("/task/create", { task });
  const options = [{ label: "S" }, { label: "L" }];
  const fields = [{ id: "size", label: "Size", description: "How large", type: "dropdown", options }];
  const template = { label: "Parcel", description: "All", fields, submit_in_zone: false, default: false };
  const { id: template_id } = await account.must("/form/template/create", { template });
  const { id: form_id } = await account.must("/checkin/form/create", { tracker_id, template_id });
  const form_submission = { form_id, values: { size: { type: "dropdown", value_index: 0 } } };
  await account.must("/checkin/create", { tracker_id, location, comment: "Here", form_submission });
  await account.must("/tracker/employee/assign", { tracker_id, new_employee_id });
  const listing = { label: "Crew", employee_controlled: true, supervisor_controlled: true };
  const { id: listing_id } = await account.must("/status/listing/create", { listing });
  const status = { label: "Free", color: "00FF00" };
  const { id: new_status_id } = await account.must("/status/create", { listing_id, status });
  await account.must("/status/listing/tracker/assign", { tracker_id, listing_id });
  await account.must("/status/tracker/assign", { tracker_id, new_status_id });
}

/** Drives too fast while the employee is on the tracker: since a minute ago, so that the points are past. */
async function driveBy(tracker_id: number, device_id: string) {
  const assigned = systemNow() - MINUTE_MS;
  await stack.change("fleet", "UPDATE driver_change SET changed = ? WHERE tracker_id = ?", assigned, tracker_id);
  const points = Array.from({ length: 12 }, (_, second) => ({
    ...{ time: assigned + (second - 9) * 1000, lat: 50 + second * 0.0004, lng: 8, speed: 150, inputs: [true] },
  }));
  await feed(device_id, points);
}
