import { expect } from "vitest";
import { systemNow } from "../../../shared/time/clock.ts";
import { DAY_MS } from "../../../shared/time/duration.ts";
import { type Account, feed, type Reply } from "../call/account.ts";
import { writeUtc } from "../call/utc-time.ts";
import { waitUntil } from "../wait.ts";

/** Three days ago at midnight UTC: all of the days after it have passed. */
export const MIDNIGHT = Math.floor(systemNow() / DAY_MS - 3) * DAY_MS;
/** The day that begins at `MIDNIGHT`. */
export const DAY = { from: writeUtc(MIDNIGHT), to: writeUtc(MIDNIGHT + DAY_MS - 1000) };

/** Generates a report and waits until it is finished; answers its id. */
export async function generate(account: Account, parameters: object): Promise<number> {
  const { id } = await account.must("/report/tracker/generate", { ...DAY, ...parameters });
  const percent = async () => (await account.must("/report/tracker/status", { report_id: id })).percent_ready;
  await waitUntil("the report is finished", percent, (value) => value === 100);
  return id;
}

/**
 * The sections of the one tracker's sheet in each of several reports. They are ordered together: the first is waited for,
 * and most others are finished when they are asked for. A report that is not finished is refused, so its progress is not
 * asked for.
 */
async function sheetsOf(account: Account, orders: object[], more: object = {}): Promise<Reply[]> {
  const ordered = orders.map((parameters) => account.must("/report/tracker/generate", { ...DAY, ...parameters }));
  const sheets: Reply[] = [];
  for (const { id: report_id } of await Promise.all(ordered)) {
    const retrieve = () => account.call("/report/tracker/retrieve", { report_id, ...more });
    const { report } = await waitUntil("the report is finished", retrieve, ({ success }) => success);
    sheets.push(report.sheets[0]?.sections ?? []);
  }
  return sheets;
}

/** The sections of the one tracker's sheet, by their headers. */
export async function sectionsOf(account: Account, tracker_id: number, plugin: object, parameters: object = {}) {
  const [sections] = await sectionsOfAll(account, tracker_id, [plugin], parameters);
  return sections as Reply[];
}

/** The sections of the one tracker's sheet in a report of each plugin. */
export function sectionsOfAll(account: Account, tracker_id: number, plugins: object[], parameters: object = {}) {
  const orders = plugins.map((plugin) => ({ trackers: [tracker_id], plugin, ...parameters }));
  return sheetsOf(account, orders);
}

/** The tables of the one tracker's sheet, with what their rows were made of. */
export async function explainedTables(account: Account, tracker_id: number, plugin: object, parameters: object = {}) {
  const [tables = []] = await explainedTablesOfAll(account, [{ trackers: [tracker_id], plugin, ...parameters }]);
  return tables;
}

/** Like `explainedTables`, of several reports by their parameters. */
export async function explainedTablesOfAll(account: Account, orders: object[]): Promise<Reply[][]> {
  const sheets = await sheetsOf(account, orders, { explain: true, source_limit: 10_000 });
  return sheets.map((sections) => sections.filter(({ type }: Reply) => type === "table"));
}

/** The sources of all rows of a table, one for each row. */
export function sourcesOf(table: Reply): Reply[] {
  for (const { rows, sources } of table.data) expect(sources).toHaveLength(rows.length);
  return table.data.flatMap(({ sources }: Reply) => sources);
}

/** All rows of a table, as their raw values. */
export function rawRows(table: Reply): Record<string, number>[] {
  return rowsOf(table).map((row) => valuesOf(row, "raw"));
}

/** All rows of a table, as a person reads them. */
export function textRows(table: Reply): Record<string, string>[] {
  return rowsOf(table).map((row) => valuesOf(row, "v"));
}

function rowsOf(table: Reply): Reply[] {
  return table.data.flatMap(({ rows }: Reply) => rows);
}

function valuesOf(row: Reply, member: "raw" | "v") {
  return Object.fromEntries(Object.entries(row).map(([field, cell]) => [field, (cell as Reply)[member]]));
}

/** The totals of all groups together. */
export function totalOf(table: Reply, field: string): number {
  return table.data.reduce((sum: number, { total }: Reply) => sum + total[field].raw, 0);
}

/** The values of a list by their names. */
export function namedValues({ rows }: Reply): Record<string, number> {
  return Object.fromEntries(rows.map(({ name, raw }: Reply) => [name, raw]));
}

/** Sends points in batches of 500, as a device does that held them back. */
export async function sendAll(device_id: string, points: object[]) {
  for (let start = 0; start < points.length; start += 500) await feed(device_id, points.slice(start, start + 500));
}

/** Expects a length to within half a percent, because the earth is no ball, and a hundredth, to which reports round. */
export function expectLength(shown: number | undefined, own: number, rows = 1) {
  expect(Math.abs((shown ?? 0) - own), `${shown} beside ${own}`).toBeLessThanOrEqual(own * 0.005 + rows * 0.005);
}

type Legs = { start: number; minutes: number; speed?: number; inputs?: boolean[]; lat?: number };

/** Points ten seconds apart, which go north from `lat` at `speed`. */
export function leg({ start, minutes, speed = 0, inputs, lat = 50 }: Legs) {
  return Array.from({ length: minutes * 6 + 1 }, (_, index) => ({
    ...{ time: start + index * 10_000, lat: lat + (index * speed) / 3.6 / 11_119.5, lng: 8, speed },
    ...(inputs && { inputs }),
  }));
}

/** Makes sensors of a temperature, a tank of 100 liters, a flow meter and a pump at input 2, and returns their ids. */
export async function newSensors(account: Account, tracker_id: number): Promise<Record<string, number>> {
  const sensors: Record<string, number> = {};
  const metering = (sensor_type: string, input_name: string, more: object = {}) => ({
    ...{ type: "metering", sensor_type, name: input_name, input_name, divider: 1 },
    ...more,
  });
  for (const [name, sensor] of Object.entries({
    temperature: metering("temperature", "ext_temp_sensor_1", { divider: 10 }),
    fuel: metering("fuel", "lls_level_1", { parameters: { volume: 100 } }),
    flow: metering("flow_meter", "flow_1"),
    pump: { type: "discrete", sensor_type: "custom", name: "Pump", input_number: 2 },
  })) {
    sensors[name] = (await account.must("/tracker/sensor/create", { tracker_id: tracker_id, sensor })).id;
  }
  return sensors;
}
