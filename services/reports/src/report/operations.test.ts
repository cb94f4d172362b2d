import { read, utils } from "@e965/xlsx";
import { beforeAll, expect, test, vi } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/duration.ts";
import { type Account, feed, newAccount, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { stack } from "#test/tool/system/stack.ts";

/** Two days ago at midnight UTC. */
const MIDNIGHT = Math.floor(systemNow() / DAY_MS - 2) * DAY_MS;
const MORNING = MIDNIGHT + 8 * HOUR_MS;
const RANGE = { from: formatTime(MIDNIGHT), to: formatTime(MIDNIGHT + DAY_MS - 1000) };
const PATIENT = { timeout: 120_000, interval: 100 };

let account: Account;
let tracker: Reply;

beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
  tracker = await account.newTracker({ label: "Van 7" });
  // Ten minutes at 36 km/h, an hour of rest, twenty minutes.
  await feed(tracker.source.device_id, [...drive(MORNING, 61), ...drive(MORNING + 70 * 60_000, 121, 50.1)]);
});

function drive(start: number, count: number, lat = 50, speed = 36) {
  return Array.from({ length: count }, (_, index) => ({
    ...{ time: start + index * 10_000, lat: lat + index * 0.0009, lng: 8 },
    speed,
  }));
}

async function generate(plugin: object, parameters: object = {}, by = account): Promise<number> {
  const given = { trackers: [tracker.id], ...RANGE, plugin, ...parameters };
  const { id } = await by.must("/report/tracker/generate", given);
  await vi.waitFor(async () => {
    expect((await by.must("/report/tracker/status", { report_id: id })).percent_ready).toBe(100);
  }, PATIENT);
  return id;
}

async function retrieve(report_id: number, by = account): Promise<Reply> {
  return (await by.must("/report/tracker/retrieve", { report_id })).report;
}

test("a report of trips has a group for each day, the numbers of track/list in its rows, and totals", async () => {
  const { list } = await account.must("/track/list", { tracker_id: tracker.id, ...RANGE });
  const id = await generate({ plugin_id: 4 }, { title: "May" });
  const { sheets, ...head } = await retrieve(id);
  expect(head).toEqual({
    ...{ id, title: "May", created: expect.any(String), ...RANGE },
    time_filter: { from: "00:00:00", to: "23:59:59", weekdays: [1, 2, 3, 4, 5, 6, 7] },
  });
  expect(sheets).toMatchObject([{ header: "Van 7", entity_ids: [tracker.id], additional_field: "" }]);
  const [table, summary] = sheets[0].sections;
  expect(table.columns.map(({ field }: Reply) => field)).toEqual([
    ...["from", "to", "length", "time", "avg_speed", "max_speed"],
  ]);
  const [group] = table.data;
  expect(table.data).toHaveLength(1);
  expect(group.header).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4} \([A-Z][a-z]{2}\) : 2$/);
  for (const [index, row] of group.rows.entries()) {
    const track = list[index];
    const cell = (raw: unknown) => expect.objectContaining({ raw, type: "value" });
    expect(row).toEqual({
      from: expect.objectContaining({
        raw: Date.parse(`${track.start_date.replace(" ", "T")}Z`),
        v: expect.stringMatching(/^\d\d:\d\d - Wiesbaden/),
      }),
      to: expect.objectContaining({ location: { lat: track.bounds.nw.lat, lng: 8 } }),
      length: cell(expect.closeTo(track.length, 1)),
      time: cell(index === 0 ? 600 : 1200),
      avg_speed: cell(track.avg_speed),
      max_speed: cell(track.max_speed),
    });
  }
  expect(group.total).toMatchObject({ text: "In total:", time: { raw: 1800, v: "00:30" } });
  expect(summary.rows).toMatchObject([
    { name: "Trips", raw: 2 },
    {},
    { name: "Travel time", raw: 30, v: "00:30" },
    {},
    {},
    { name: "Odometer value, km" },
  ]);
});

test("reports give stops between trips, violations above the limit, and all points", async () => {
  const [stops] = (await retrieve(await generate({ plugin_id: 6, show_seconds: true }))).sheets[0].sections;
  expect(stops.data).toMatchObject([{ rows: [{ duration: { v: "01:00:00", raw: 3600 } }] }]);
  const speeding = async (parameters: object) =>
    (await retrieve(await generate({ plugin_id: 27, ...parameters }))).sheets[0].sections[0].data;
  expect(await speeding({ max_speed: 36 })).toEqual([]);
  expect(await speeding({ max_speed: 35 })).toMatchObject([
    { rows: [{ duration: { raw: 600 } }, { duration: { raw: 1200 } }] },
  ]);
  expect(await speeding({ max_speed: 35, min_duration_minutes: 10 })).toMatchObject([
    { rows: [{ duration: { raw: 1200 } }] },
  ]);
  const [points] = (await retrieve(await generate({ plugin_id: 91 }))).sheets[0].sections;
  expect(points.data[0].rows).toHaveLength(182);
});

test("a report leaves out what lies outside the time filter's hours and weekdays", async () => {
  const rows = async (time_filter: object) =>
    (await retrieve(await generate({ plugin_id: 4 }, { time_filter }))).sheets[0].sections[0].data.flatMap(
      ({ rows }: Reply) => rows,
    );
  expect(await rows({ from: "09:00", to: "10:00" })).toHaveLength(1);
  expect(await rows({ from: "22:00", to: "08:30" })).toHaveLength(1);
  const weekday = new Date(MIDNIGHT).getUTCDay() || 7;
  expect(await rows({ weekdays: [weekday] })).toHaveLength(2);
  expect(await rows({ weekdays: [(weekday % 7) + 1] })).toHaveLength(0);
});

test("a report of several trackers has a summary and a sheet for each, and leaves out empty ones on request", async () => {
  const { id } = await account.newTracker({ label: "Idle" });
  const headers = async (parameters: object) => {
    const report = await retrieve(await generate({ plugin_id: 4, ...parameters }, { trackers: [tracker.id, id] }));
    return report.sheets.map(({ header }: Reply) => header);
  };
  expect(await headers({})).toEqual(["Summary", "Van 7", "Idle"]);
  expect(await headers({ hide_empty_tabs: true })).toEqual(["Summary", "Van 7"]);
  expect(await headers({ include_summary_sheet: false })).toEqual(["Van 7", "Idle"]);
  expect(await headers({ include_summary_sheet_only: true })).toEqual(["Summary"]);
});

test("a report of one tracker with include_summary_sheet_only has the summary alone", async () => {
  const plugin = { plugin_id: 4, include_summary_sheet: false, include_summary_sheet_only: true };
  const { sheets } = await retrieve(await generate(plugin));
  expect(sheets).toMatchObject([{ header: "Summary", entity_ids: [tracker.id] }]);
  expect(sheets[0].sections).toMatchObject([
    { header: "Van 7", rows: [{ name: "Trips", raw: 2 }, {}, {}, {}, {}, {}] },
  ]);
});

test("a report of falls (17) is as empty as one of an SOS button that nobody pressed (16)", async () => {
  const sheetsOf = async (plugin_id: number, more: object = {}) =>
    (await retrieve(await generate({ plugin_id, ...more }))).sheets;
  const [[falls], [presses]] = [await sheetsOf(17), await sheetsOf(16)];
  expect(falls.header).toBe("Van 7");
  const dataOf = ({ sections }: Reply) => sections.map(({ type, data, rows }: Reply) => [type, data, rows]);
  expect(dataOf(falls)).toEqual(dataOf(presses));
  expect(await sheetsOf(17, { hide_empty_tabs: true })).toEqual([]);
});

test("a report uses the account's units and language, with metric raw values", async () => {
  const imperial = await newAccount({ time_zone: "Europe/Berlin" });
  await imperial.must("/user/settings/update", { locale: "de_DE", measurement_system: "imperial" });
  const own = await imperial.newTracker();
  await feed(own.source.device_id, drive(MORNING, 61));
  const [table] = (await retrieve(await generate({ plugin_id: 4 }, { trackers: [own.id] }, imperial), imperial))
    .sheets[0].sections;
  expect(table.columns[2].title).toBe("Gesamtlänge,\nmi");
  const { length, from } = table.data[0].rows[0];
  expect([length.raw, length.v]).toEqual([expect.closeTo(6, 1), "3,73"]);
  const summer = new Date(MORNING).toLocaleString("sv-SE", { timeZone: "Europe/Berlin" }).slice(11, 16);
  expect(from.v.slice(0, 5)).toBe(summer);
});

test("report/tracker/download makes workbooks with a sheet for each tracker and real numbers, and PDF with pages", async () => {
  const report_id = await generate({ plugin_id: 4 }, { title: "Trips: May" });
  const download = async (format: string, headless = false) => {
    const parameters = { hash: account.hash, report_id, format, headless };
    const answer = await fetch(`${stack.baseUrl}/report/tracker/download`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(parameters),
    });
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };
  for (const format of ["xlsx", "xls"]) {
    const book = read(await download(format));
    expect(book.SheetNames, format).toEqual(["Trips  May", "Van 7"]);
    const rows: unknown[][] = utils.sheet_to_json(book.Sheets["Van 7"] ?? {}, { header: 1, raw: true });
    const first = rows.find((row) => String(row[0]).startsWith("08:00"));
    // Ten minutes of one day.
    const time = format === "xlsx" ? 10 / (24 * 60) : "00:10";
    expect(first?.slice(2), format).toEqual([expect.closeTo(6, 1), time, 36, 36]);
    expect(read(await download(format, true)).SheetNames, format).toEqual(["Van 7"]);
  }
  expect((await download("csv")).toString()).toMatch(/^\ufeffVan 7\r\n[\s\S]*,00:10,36,36\r\n/);
  const pdf = (await download("pdf")).toString("latin1");
  expect(pdf).toMatch(/^%PDF-1\./);
  expect(pagesIn(await download("pdf"))).toBe(2);
  expect(pagesIn(await download("pdf", true))).toBe(1);
});

test("report/tracker/download makes all of six files that an account asks for at once", async () => {
  const report_id = await generate({ plugin_id: 91 });
  const download = () => account.call("/report/tracker/download", { report_id, format: "pdf" });
  const answers = await Promise.all(Array.from({ length: 6 }, download));
  expect(answers.map(({ status }) => status?.code)).toEqual(Array(6).fill(undefined));
});

test("report/tracker/list gives a user's own reports alone, newest first, and delete removes them", async () => {
  const owner = await newAccount();
  const own = await owner.newTracker();
  const ids = [];
  for (const title of ["one", "two"]) ids.push(await generate({ plugin_id: 4 }, { trackers: [own.id], title }, owner));
  const { list } = await owner.must("/report/tracker/list");
  expect(list).toMatchObject([
    { id: ids[1], title: "two", percent: 100, type: "user", ...RANGE },
    { id: ids[0], title: "one", parameters: { trackers: [own.id], plugins: [{ plugin_id: 4, split: true }] } },
  ]);
  const code = async (path: string, parameters: object, by = owner) => (await by.call(path, parameters)).status?.code;
  // The report can be read again, but only by its owner.
  expect(await retrieve(ids[0] ?? 0, owner)).toEqual(await retrieve(ids[0] ?? 0, owner));
  for (const path of ["/report/tracker/retrieve", "/report/tracker/status", "/report/tracker/download"]) {
    expect(await code(path, { report_id: ids[0], format: "pdf" }, account), path).toBe(204);
    expect(await code(path, { report_id: UNKNOWN_ID, format: "pdf" }), path).toBe(204);
  }
  expect(await code("/report/tracker/delete", { report_id: ids[0] }, account)).toBe(201);
  await owner.must("/report/tracker/delete", { report_id: ids[0] });
  expect(await code("/report/tracker/delete", { report_id: ids[0] })).toBe(201);
  expect(await code("/report/tracker/retrieve", { report_id: ids[0] })).toBe(204);
  expect((await owner.must("/report/tracker/list")).list).toHaveLength(1);
});

test("report calls show a sub-user a finished report only while it sees the report's tracker", async () => {
  const { id: subuser_id, hash } = await newSubUser(account);
  const { id: group_id } = await account.must("/subuser/security_group/create", {
    group: { label: "Readers of reports", privileges: { rights: ["reports"] } },
  });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [tracker.id] });
  const by = { ...account, must: (path: string, given: object = {}) => account.must(path, { hash, ...given }) };
  const report_id = await generate({ plugin_id: 4 }, {}, by);
  const codes = async () => {
    const calls = ["status", "retrieve", "download"].map((verb) =>
      account.call(`/report/tracker/${verb}`, { hash, report_id, ...(verb === "download" && { format: "csv" }) }),
    );
    return (await Promise.all(calls)).map(({ success, status }) => (success ? 0 : status.code));
  };
  expect(await codes()).toEqual([0, 0, 0]);
  await account.must("/subuser/tracker/unbind", { subuser_id, trackers: [tracker.id] });
  expect(await codes()).toEqual([204, 204, 204]);
  expect((await by.must("/report/tracker/list")).list).toEqual([]);
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [tracker.id] });
  expect(await codes()).toEqual([0, 0, 0]);
  expect((await by.must("/report/tracker/list")).list).toMatchObject([{ id: report_id }]);
});

test("report/tracker/generate refuses what it cannot make before it begins", async () => {
  const code = async (parameters: object) => {
    const given = { trackers: [tracker.id], ...RANGE, plugin: { plugin_id: 4 }, ...parameters };
    const { status, errors } = await account.call("/report/tracker/generate", given);
    return [status?.code, errors?.[0]?.parameter];
  };
  const plugin = { plugin_id: 27, max_speed: 90 };
  expect(await code({ plugin: { plugin_id: 9999 } })).toEqual([222, undefined]);
  expect(await code({ plugin: { ...plugin, max_speed: 401 } })).toEqual([7, "plugin.max_speed"]);
  expect(await code({ plugin: { plugin_id: 27 } })).toEqual([7, "plugin.max_speed"]);
  expect(await code({ trackers: [UNKNOWN_ID] })).toEqual([217, undefined]);
  expect(await code({ trackers: [] })).toEqual([7, "trackers"]);
  expect(await code({ to: RANGE.from })).toEqual([7, "to"]);
  expect(await code({ from: formatTime(MIDNIGHT - 91 * DAY_MS) })).toEqual([211, undefined]);
  expect(await code({ plugin: { plugin_id: 91 }, to: formatTime(MIDNIGHT + DAY_MS + 1000) })).toEqual([211, undefined]);
  expect(await code({ time_filter: { from: "25:00" } })).toEqual([7, "time_filter.from"]);
});

test("report/tracker/generate refuses a span that is too long with the maximum, the plugin's if that is shorter", async () => {
  const spanOf = async (plugin_id: number, from = MIDNIGHT - 91 * DAY_MS) => {
    const given = { trackers: [tracker.id], ...RANGE, from: formatTime(from), plugin: { plugin_id } };
    const { status, max_time_span } = await account.call("/report/tracker/generate", given);
    return [status.code, max_time_span];
  };
  expect(await spanOf(4)).toEqual([211, "P90D"]);
  expect(await spanOf(91, MIDNIGHT - DAY_MS)).toEqual([211, "PT24H"]);
});

test("report/tracker/delete refuses a demo account's reports (101)", async () => {
  const demo = await newAccount({ user: { demo: true } });
  const { id } = await demo.newTracker();
  const report_id = await generate({ plugin_id: 4 }, { trackers: [id] }, demo);
  expect((await demo.call("/report/tracker/delete", { report_id })).status.code).toBe(101);
  expect((await demo.must("/report/tracker/list")).list).toMatchObject([{ id: report_id }]);
});

test("report/tracker/generate refuses a tariff without reports (236), and a sub-user without the right", async () => {
  const poor = await newAccount({ plan: {} });
  await poor.changeTariff({ has_reports: false });
  const own = await poor.newTracker();
  const given = { trackers: [own.id], ...RANGE, plugin: { plugin_id: 4 } };
  expect((await poor.call("/report/tracker/generate", given)).status.code).toBe(236);
  const { hash: sub } = await newSubUser(account);
  const allowed = { trackers: [tracker.id], ...RANGE, plugin: { plugin_id: 4 }, hash: sub };
  expect((await account.call("/report/tracker/generate", allowed)).status.code).toBe(13);
});

function pagesIn(pdf: Buffer) {
  return pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length;
}

function formatTime(ms: number) {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
