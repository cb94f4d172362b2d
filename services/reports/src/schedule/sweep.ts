import type { Principal } from "#shared/caller/principal.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { toDay, toMoment } from "#shared/time/schedule-days.ts";
import type { ReportsEnv } from "../env.ts";
import { formatRange } from "../report/file.ts";
import { markMailed, selectMailDue } from "../report/queries.ts";
import { requirePlugin, toReportRow } from "../report/request.ts";
import type { ReportRow } from "../table/report.ts";
import type { ScheduleRow } from "../table/report-schedule.ts";
import { findNextRun, rangeBefore } from "./days.ts";
import { type ScheduleOutcome, selectDue, storeOutcomes } from "./sweep-queries.ts";

type SweepServices = {
  USERS: ReportsEnv["USERS"];
  FLEET: Pick<ReportsEnv["FLEET"], "trackersOf">;
  RECORDS: Pick<ReportsEnv["RECORDS"], "employeesOf">;
  KEPT_REPORTS: string;
};

/**
 * Makes reports of due schedules, round robin over accounts. Safe to run twice at once. After an outage, missed days
 * are made up for one after the other, each with its own range.
 */
export async function sweepSchedules(db: Database, services: SweepServices, now: number) {
  for (let index = 0; index < MAX_TRANSACTIONS_PER_SWEEP && (await makeBatch(db, services, now)) > 0; index++);
}

/** Enqueues mails about finished reports; the gateway recognizes repeated ones by their ids. */
export async function mailReports(env: ReportsEnv) {
  const db = openDatabase(env);
  const rows = await selectMailDue(db, MAX_REPORTS_PER_MAILING);
  const notices = rows.flatMap(toNotices);
  for (let start = 0; start < notices.length; start += MAX_NOTICES_PER_CALL)
    await env.MAIL.enqueue(notices.slice(start, start + MAX_NOTICES_PER_CALL));
  if (rows.length > 0)
    await markMailed(
      db,
      rows.map(({ id }) => id),
    );
}

/** Runs the sweep with the clock of the environment, which tests may move. */
export function sweepDue(env: ReportsEnv) {
  return sweepSchedules(openDatabase(env), env, nowMs(env));
}

async function makeBatch(db: Database, services: SweepServices, now: number): Promise<number> {
  const due = await selectDue(db, now, MAX_SCHEDULES_PER_TRANSACTION);
  if (due.length === 0) return 0;
  const readers = await services.USERS.principalsOf([...new Set(due.map(({ user_id }) => user_id))]);
  const seen = await findVisible(readers, due, services);
  await storeOutcomes(
    db,
    due.map((schedule) => decideOutcome(schedule, { reader: readers[schedule.user_id], seen, now })),
    Number(services.KEPT_REPORTS),
    now,
  );
  return due.length;
}

type Readers = Awaited<ReturnType<ReportsEnv["USERS"]["principalsOf"]>>;
/** The visible trackers and employees among those of its schedules, by user. */
type VisibleSubjects = Map<number, { trackers: Set<number>; employees: Set<number> }>;

/** One call per user and kind, all at once. */
async function findVisible(
  readers: Readers,
  due: ScheduleRow[],
  { FLEET, RECORDS }: SweepServices,
): Promise<VisibleSubjects> {
  const ofUsers = [...Map.groupBy(due, ({ user_id }) => user_id)].map(async ([user_id, schedules]) => {
    const reader = readers[user_id];
    if (!reader || reader === "closed") return undefined;
    const trackers = schedules.flatMap(({ parameters }) => parameters.report.trackers);
    const employees = schedules.flatMap(({ parameters }) => parameters.report.employees);
    const [found, people] = await Promise.all([
      trackers.length > 0 ? FLEET.trackersOf(reader, [...new Set(trackers)]) : [],
      employees.length > 0 ? RECORDS.employeesOf(reader, [...new Set(employees)]) : [],
    ]);
    const ids = { trackers: new Set(found.map(({ tracker_id }) => tracker_id)), employees: new Set(people.map(idOf)) };
    return [user_id, ids] as const;
  });
  return new Map((await Promise.all(ofUsers)).filter((one) => one !== undefined));
}

type OutcomeContext = { reader: Principal | "closed" | undefined; seen: VisibleSubjects; now: number };

function decideOutcome(schedule: ScheduleRow, { reader, seen, now }: OutcomeContext): ScheduleOutcome {
  const { parameters, next_run, time_zone: before, user_id } = schedule;
  if (!reader) return { schedule, is: "removed" };
  const time_zone = reader === "closed" ? before : reader.time_zone;
  const day = toDay(next_run, before);
  const moment = toMoment(day, parameters.sending_time, time_zone);
  if (moment > now) return { schedule, is: "moved", time_zone, following: moment };
  const following = findNextRun(parameters, moment, time_zone);
  if (reader === "closed" || !reader.rights.includes("reports"))
    return { schedule, is: "passed", code: 13, time_zone, following };
  const visible = seen.get(user_id);
  const trackers = parameters.report.trackers.filter((id) => visible?.trackers.has(id));
  const employees = parameters.report.employees.filter((id) => visible?.employees.has(id));
  if (trackers.length + employees.length === 0) return { schedule, is: "ended", code: 217 };
  const report = toReportInsert(schedule, { reader, subjects: { trackers, employees }, day, now });
  return { schedule, is: "made", report, time_zone, following };
}

type ReportContext = {
  reader: Principal;
  subjects: { trackers: number[]; employees: number[] };
  day: string;
  now: number;
};

function toReportInsert({ id, parameters }: ScheduleRow, { reader, subjects, day, now }: ReportContext) {
  const { report, period, emails, email_format: format, email_zip: zip } = parameters;
  const { plugin, parameters: requested } = requirePlugin(report.plugin);
  const hasMail = emails.length > 0;
  return {
    ...toReportRow(reader, { order: report, subjects, plugin, parameters: requested }),
    ...rangeBefore(day, period, reader.time_zone),
    ...{ created: now, schedule_id: id, schedule_day: day, is_mail_due: hasMail },
    mail: hasMail ? { emails, format, zip, token: crypto.randomUUID().replaceAll("-", "") } : null,
  };
}

function toNotices(row: ReportRow) {
  const { id, account_id, title, mail } = row;
  return (mail?.emails ?? []).map((to) => ({
    ...{ kind: "report" as const, id: `report:${id}:${to.toLowerCase()}`, account_id, to, title },
    range: formatRange(row),
    path: `/report/mailed/fetch?report=${id}&token=${mail?.token}`,
  }));
}

function idOf({ id }: { id: number }) {
  return id;
}

const MAX_SCHEDULES_PER_TRANSACTION = 100;
/** Bounds one sweep; the next one goes on. */
const MAX_TRANSACTIONS_PER_SWEEP = 10;
const MAX_REPORTS_PER_MAILING = 100;
/** The gateway accepts no more in one call. */
const MAX_NOTICES_PER_CALL = 500;
