import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { NO_LIMITS, type Principal } from "#shared/caller/principal.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/duration.ts";
import { openDatabaseFile } from "#test/tool/database/file.ts";
import { auditOutbox } from "../table/audit-outbox.ts";
import { report } from "../table/report.ts";
import { reportSchedule, type ScheduleParameters } from "../table/report-schedule.ts";
import { findNextRun } from "./days.ts";
import { sweepSchedules } from "./sweep.ts";

const BERLIN = "Europe/Berlin";
const at = (text: string) => Date.parse(text);
/** A Friday, 9 in the morning in Berlin. */
const FRIDAY = at("2026-11-20T08:00:00Z");
const SATURDAY = at("2026-11-20T23:00:30Z");
const DAILY = { type: "weekdays" as const, weekdays: [1, 2, 3, 4, 5, 6, 7] };
const ORDER: ScheduleParameters["report"] = {
  ...{ title: "Daily", geocoder: "osm", trackers: [71, 72], employees: [], plugin: { plugin_id: 4 } },
  time_filter: { from: "00:00:00", to: "23:59:59", weekdays: [1, 2, 3, 4, 5, 6, 7] },
  ...{ include_places_in_address: true, include_zones_in_address: true },
};

let users: Record<number, Principal | "closed">;
let trackers: number[];
const env = {
  USERS: { principalsOf: async () => users },
  FLEET: {
    trackersOf: async (_: Principal, ids: number[]) =>
      ids.filter((id) => trackers.includes(id)).map((tracker_id) => ({ tracker_id })) as never,
  },
  RECORDS: { employeesOf: async () => [] },
  KEPT_REPORTS: "3",
};
const sweep = (now: number) => sweepSchedules(db, env, now);

const db = await openDatabaseFile("reports");

beforeEach(async () => {
  for (const table of [report, reportSchedule, auditOutbox]) await db.delete(table);
  users = { 8: principal() };
  trackers = [71, 72];
});

function principal(more: Partial<Principal> = {}): Principal {
  return {
    ...{ credential: "session", key: "", account_id: 7, user_id: 8, kind: "subuser", rights: ["reports"] },
    ...{ scope: [71, 72], sub_user_ids: [], store_period: null, dealer_id: 1, default_tariff_id: null },
    ...{ limits: NO_LIMITS, auto_overwrite: false, time_zone: BERLIN, account_time_zone: BERLIN, locale: "en_US" },
    ...{ measurement_system: "metric", demo: false, permissions: {}, expires_at: 0 },
    ...more,
  };
}

async function plan(more: Partial<ScheduleParameters> = {}, made = FRIDAY) {
  const parameters: ScheduleParameters = {
    ...{ period: "1d", schedule: DAILY, report: ORDER, sending_time: "00:00:00" },
    ...{ emails: [], email_format: "pdf", email_zip: false, ...more },
  };
  const next_run = findNextRun(parameters, made, BERLIN);
  const row = { account_id: 7, user_id: 8, enabled: true, parameters, time_zone: BERLIN, next_run };
  const [inserted] = await db.insert(reportSchedule).values(row).returning({ id: reportSchedule.id });
  return Number(inserted?.id);
}

const made = () => db.select().from(report).orderBy(asc(report.schedule_day));
const days = async () => (await made()).map(({ schedule_day }) => schedule_day);
/** The audit entries that sweeps have left: the thing, what was done to it, its id, and its user. */
const records = async () =>
  (await db.select().from(auditOutbox).orderBy(sql`rowid`)).map(({ entry }) => {
    const { entry_category, action, entry_id, account_id, user_id } = entry;
    return [entry_category, action, entry_id, account_id, user_id];
  });
const scheduleOf = (id: number) => db.select().from(reportSchedule).where(eq(reportSchedule.id, id)).get();

test("a sweep shortly after midnight of the zone orders one report of the day before, also with two sweeps at a time", async () => {
  const id = await plan({ emails: ["ops@example.com"], email_format: "xls", email_zip: true });
  await sweep(SATURDAY - 60_000);
  expect(await days()).toEqual([]);
  await Promise.all([sweep(SATURDAY), sweep(SATURDAY)]);
  await sweep(SATURDAY + HOUR_MS);
  const [row, ...others] = await made();
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    ...{ account_id: 7, user_id: 8, title: "Daily", state: "waiting", sheets: 2, is_mail_due: true },
    ...{ schedule_id: id, schedule_day: "2026-11-21", from: at("2026-11-19T23:00:00Z") },
    to: at("2026-11-20T22:59:59Z"),
    mail: { emails: ["ops@example.com"], format: "xls", zip: true, token: expect.stringMatching(/^[0-9a-f]{32}$/) },
  });
  expect(await scheduleOf(id)).toMatchObject({
    ...{ next_run: at("2026-11-21T23:00:00Z"), last_result: { success: true, id: row?.id } },
  });
  expect(await records()).toEqual([["report", "create", row?.id, 7, 8]]);
});

test("a sweep after an outage orders the missed days' reports with their ranges, and finished ones beyond the limit go", async () => {
  await plan();
  await sweep(SATURDAY + 2 * DAY_MS);
  expect(await days()).toEqual(["2026-11-21", "2026-11-22", "2026-11-23"]);
  expect((await made()).map(({ from }) => from - SATURDAY)).toEqual([0, 1, 2].map((n) => (n - 1) * DAY_MS - 30_000));
  await db.update(report).set({ state: "finished" });
  await sweep(SATURDAY + 3 * DAY_MS);
  expect((await made()).map(({ state }) => state)).toEqual(["removed", "finished", "finished", "waiting"]);
  const [oldest] = await made();
  expect((await records()).filter(([, action]) => action === "delete")).toEqual([
    ["report", "delete", oldest?.id, 7, 8],
  ]);
});

test("a sweep orders one report for days of 23 and of 25 hours each, of their own hours", async () => {
  await plan({}, at("2026-10-23T12:00:00Z"));
  for (let hour = 0; hour < 24 * 4; hour++) await sweep(at("2026-10-23T12:00:00Z") + hour * HOUR_MS);
  const hours = (await made()).map(({ from, to }) => Math.round((to - from) / HOUR_MS));
  expect(await days()).toEqual(["2026-10-24", "2026-10-25", "2026-10-26", "2026-10-27"]);
  expect(hours).toEqual([24, 24, 25, 24]);
});

test("a sweep uses the user's present time zone: it waits for a day that has not begun there, and orders it once", async () => {
  const id = await plan();
  users = { 8: principal({ time_zone: "America/New_York" }) };
  await sweep(SATURDAY);
  expect(await days()).toEqual([]);
  expect(await scheduleOf(id)).toMatchObject({ next_run: at("2026-11-21T05:00:00Z"), time_zone: "America/New_York" });
  await sweep(at("2026-11-21T05:00:00Z"));
  users = { 8: principal({ time_zone: "Pacific/Honolulu" }) };
  await sweep(at("2026-11-22T05:00:00Z"));
  await sweep(at("2026-11-22T10:00:00Z"));
  expect(await days()).toEqual(["2026-11-21", "2026-11-22"]);
});

test("a sweep leaves out removed trackers, and disables a schedule without any (217)", async () => {
  const id = await plan();
  trackers = [72];
  await sweep(SATURDAY);
  expect((await made())[0]?.request.trackers).toEqual([72]);
  trackers = [];
  await sweep(SATURDAY + DAY_MS);
  await sweep(SATURDAY + 2 * DAY_MS);
  expect(await days()).toHaveLength(1);
  expect(await scheduleOf(id)).toMatchObject({ enabled: false, last_result: { success: false, code: 217 } });
  expect((await records()).slice(1)).toEqual([["report_schedule", "disable", id, 7, 8]]);
});

test("a sweep skips days of users who are blocked or lack the right, and removes the schedules of removed users", async () => {
  const id = await plan();
  users = { 8: principal({ rights: [] }) };
  await sweep(SATURDAY);
  expect(await scheduleOf(id)).toMatchObject({ enabled: true, last_result: { success: false, code: 13 } });
  users = { 8: "closed" };
  await sweep(SATURDAY + DAY_MS);
  users = { 8: principal() };
  await sweep(SATURDAY + 2 * DAY_MS);
  expect(await days()).toEqual(["2026-11-23"]);
  users = {};
  await sweep(SATURDAY + 3 * DAY_MS);
  expect(await scheduleOf(id)).toBeUndefined();
  expect((await records()).slice(1)).toEqual([["report_schedule", "delete", id, 7, 8]]);
  expect(await days()).toEqual(["2026-11-23"]);
});
