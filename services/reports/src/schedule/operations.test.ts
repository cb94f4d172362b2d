import { unzipSync } from "fflate";
import { expect, test, vi } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { type Account, call, newAccount, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { mailTo, newSubUser } from "#test/tool/call/mailbox.ts";
import { stack } from "#test/tool/system/stack.ts";

const PATIENT = { timeout: 120_000, interval: 200 };
const DAILY = { type: "weekdays", weekdays: [1, 2, 3, 4, 5, 6, 7] };

async function newOrder(given: object = {}) {
  const account = await newAccount({ plan: {}, time_zone: "UTC" });
  const tracker = await account.newTracker({ label: "Van 7" });
  return { account, tracker, schedule: scheduleOf(tracker, given) };
}

function scheduleOf(tracker: Reply, given: object = {}, report: object = {}) {
  const plugin = { plugin_id: 4, show_seconds: true };
  const parameters = { period: "1w", schedule: DAILY, report: { trackers: [tracker.id], plugin, ...report } };
  return { enabled: true, parameters: { ...parameters, ...given } };
}

async function only(account: Account): Promise<Reply> {
  const { list } = await account.must("/report/schedule/list");
  expect(list).toHaveLength(1);
  return list[0];
}

test("report/schedule/list shows a schedule as created, with defaults and its next run", async () => {
  const { account, schedule } = await newOrder({ schedule: { type: "month_days", month_days: [1] } });
  const { id } = await account.must("/report/schedule/create", { schedule });
  const listed = await only(account);
  expect(listed).toMatchObject({
    id,
    enabled: true,
    last_result: null,
    fire_time: expect.stringMatching(/-01 00:00:00$/),
  });
  const { report } = schedule.parameters;
  expect(listed.parameters).toMatchObject({
    ...{ ...schedule.parameters, emails: [], email_format: "pdf", email_zip: false, sending_time: "00:00:00" },
    report: { ...report, title: null, geocoder: "osm", plugin: { ...report.plugin, split: true } },
  });
});

test("report/schedule/update takes back what list gave, keeps members that are not given, and moves the next run", async () => {
  const { account, schedule } = await newOrder();
  const { id } = await account.must("/report/schedule/create", { schedule });
  const before = await only(account);
  await account.must("/report/schedule/update", { schedule: before });
  expect(await only(account)).toEqual(before);
  await account.must("/report/schedule/update", { schedule: { id, enabled: false } });
  expect(await only(account)).toEqual({ ...before, enabled: false });
  const parameters = { ...before.parameters, sending_time: "23:00:00" };
  await account.must("/report/schedule/update", { schedule: { id, enabled: true, parameters } });
  const after = await only(account);
  expect([after.enabled, after.fire_time.slice(11)]).toEqual([true, "23:00:00"]);
});

test("report/schedule/create and update refuse what report/tracker/generate refuses", async () => {
  const { account, tracker, schedule } = await newOrder();
  const { id } = await account.must("/report/schedule/create", { schedule });
  for (const path of ["/report/schedule/create", "/report/schedule/update"]) {
    const refused = async (given: object, report: object = {}) => {
      const { status, errors } = await account.call(path, { schedule: { id, ...scheduleOf(tracker, given, report) } });
      return [status?.code, errors?.[0]?.parameter];
    };
    expect(await refused({}, { plugin: { plugin_id: 9999 } }), path).toEqual([222, undefined]);
    expect(await refused({}, { trackers: [UNKNOWN_ID] })).toEqual([217, undefined]);
    expect(await refused({ period: "91d" })).toEqual([211, undefined]);
    expect(await refused({ period: "2d" }, { plugin: { plugin_id: 91 } })).toEqual([211, undefined]);
    expect(await refused({ period: "0d" })).toEqual([7, "schedule.parameters.period"]);
    expect(await refused({ sending_time: "07:30:00" })).toEqual([7, "schedule.parameters.sending_time"]);
    expect(await refused({ emails: ["nobody"] })).toEqual([7, "schedule.parameters.emails.0"]);
  }
  await account.must("/report/schedule/create", { schedule: scheduleOf(tracker, { period: "90d" }) });
  await account.changeTariff({ has_reports: false });
  expect((await account.call("/report/schedule/create", { schedule })).status.code).toBe(236);
  expect((await account.call("/report/schedule/update", { schedule: { id, ...schedule } })).status.code).toBe(236);
});

test("report/schedule calls show a user its own schedules alone, and need the right", async () => {
  const { account, schedule } = await newOrder();
  const { account: rival } = await newOrder();
  const { id } = await account.must("/report/schedule/create", { schedule });
  for (const [given, by] of [
    [id, rival],
    [UNKNOWN_ID, account],
  ] as const) {
    expect((await by.call("/report/schedule/update", { schedule: { id: given, enabled: false } })).status.code).toBe(
      201,
    );
    expect((await by.call("/report/schedule/delete", { schedule_id: given })).status.code).toBe(201);
  }
  const { hash, id: subuser_id } = await newSubUser(account);
  expect((await account.call("/report/schedule/list", { hash })).status.code).toBe(13);
  const group = { label: "Readers", privileges: { rights: ["reports"] } };
  const { id: group_id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
  expect((await account.must("/report/schedule/list", { hash })).list).toEqual([]);
  expect((await account.call("/report/schedule/delete", { hash, schedule_id: id })).status.code).toBe(201);
  await account.must("/report/schedule/delete", { schedule_id: id });
  expect((await account.must("/report/schedule/list")).list).toEqual([]);
});

test("report/schedule/create answers 268 to the 101st schedule of a user, also when many come at once", async () => {
  const { account, schedule } = await newOrder();
  const create = () => account.call("/report/schedule/create", { schedule });
  await create();
  const where = { account_id: account.id };
  await stack.copyRow("reports", { table: "report_schedule", where, count: 90, changed: { id: "NULL" } });
  const replies = await Promise.all(Array.from({ length: 12 }, create));
  expect(replies.filter(({ success }) => success)).toHaveLength(9);
  expect(new Set(replies.filter(({ success }) => !success).map(({ status }) => status.code))).toEqual(new Set([268]));
});

test("a due schedule makes a report and mails its address once, which opens the file until the report is deleted", async () => {
  const { account, tracker } = await newOrder();
  const order = { emails: [account.login], email_format: "xls", email_zip: true, period: "1d" };
  const schedule = scheduleOf(tracker, order, { title: "Every day" });
  const { id } = await account.must("/report/schedule/create", { schedule });
  await stack.bringForward(id, Math.floor(systemNow() / DAY_MS) * DAY_MS);
  await Promise.all([stack.fireCron("reports"), stack.fireCron("reports")]);
  const { list } = await account.must("/report/tracker/list");
  expect(list).toMatchObject([{ type: "scheduled", title: "Every day", parameters: { trackers: [tracker.id] } }]);
  const [{ id: report_id, from, to }] = list;
  expect([from.slice(11), to.slice(11), (await only(account)).last_result]).toEqual([
    ...["00:00:00", "23:59:59", { success: true, id: report_id }],
  ]);
  await vi.waitFor(async () => {
    expect((await account.must("/report/tracker/status", { report_id })).percent_ready).toBe(100);
  }, PATIENT);
  await Promise.all([stack.fireCron("reports"), stack.fireCron("reports")]);
  const { subject, text } = await mailTo(account.login);
  expect(subject).toBe(`Every day: ${from} – ${to}`);
  const query = /report\/mailed\/fetch\?(\S+)/.exec(text)?.[1] ?? "";
  const address = `${stack.baseUrl}/report/mailed/fetch?${query}`;
  const answer = await fetch(address);
  expect(answer.headers.get("Content-Disposition")).toContain("Every day.zip");
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  expect(Object.keys(files)).toEqual(["Every day.xls"]);
  const wrong = { report: report_id, token: "0".repeat(32) };
  expect((await call("/report/mailed/fetch", wrong)).status.code).toBe(204);
  await account.must("/report/tracker/delete", { report_id });
  expect((await fetch(address)).status).toBe(404);
  const mails = await stack.rowsOf("gateway", "mail");
  expect(mails.filter(({ event_id }) => String(event_id).startsWith(`report:${report_id}:`))).toHaveLength(1);
});

test("report/mailed/fetch answers 204 while the schedule's user does not see the report's tracker", async () => {
  const { account, tracker } = await newOrder();
  const { id: subuser_id, hash } = await newSubUser(account);
  const { id: group_id } = await account.must("/subuser/security_group/create", {
    group: { label: "Reporters", privileges: { rights: ["reports"] } },
  });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [tracker.id] });
  const schedule = scheduleOf(tracker, { emails: [account.login], email_format: "xls", period: "1d" });
  const { id } = await account.must("/report/schedule/create", { hash, schedule });
  await stack.bringForward(id, Math.floor(systemNow() / DAY_MS) * DAY_MS);
  await stack.fireCron("reports");
  const { list } = await account.must("/report/tracker/list", { hash });
  const [{ id: report_id }] = list;
  await vi.waitFor(async () => {
    expect((await account.must("/report/tracker/status", { hash, report_id })).percent_ready).toBe(100);
  }, PATIENT);
  await stack.fireCron("reports");
  const query = /report\/mailed\/fetch\?(\S+)/.exec((await mailTo(account.login)).text)?.[1] ?? "";
  const fetchMailed = () => fetch(`${stack.baseUrl}/report/mailed/fetch?${query}`);
  expect((await fetchMailed()).status).toBe(200);
  await account.must("/subuser/tracker/unbind", { subuser_id, trackers: [tracker.id] });
  expect(await (await fetchMailed()).json()).toMatchObject({ status: { code: 204 } });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [tracker.id] });
  expect((await fetchMailed()).status).toBe(200);
});
