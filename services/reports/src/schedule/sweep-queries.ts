import { and, asc, eq, sql } from "drizzle-orm";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere, rowIf } from "#shared/database/rows.ts";
import { write } from "#shared/database/steps.ts";
import { report } from "../table/report.ts";
import { reportSchedule, type ScheduleRow } from "../table/report-schedule.ts";

/** Schedules that are due, round robin over accounts, each account's longest due first. */
export function selectDue(db: Database, now: number, maxRows: number): Promise<ScheduleRow[]> {
  const waiting = { isWaiting: sql`enabled`, isDue: sql`next_run <= ${now}`, order: sql`next_run` };
  return db
    .select()
    .from(reportSchedule)
    .where(sql`${reportSchedule.id} IN (${selectDueByAccount({ table: reportSchedule, ...waiting }, maxRows)})`)
    .orderBy(asc(reportSchedule.next_run), asc(reportSchedule.id))
    .all();
}

/** The decision of a sweep on a due schedule. */
export type ScheduleOutcome = { schedule: ScheduleRow } & (
  | { is: "made"; report: typeof report.$inferInsert; time_zone: string; following: number }
  /** No report for this day. */
  | { is: "passed"; code: number; time_zone: string; following: number }
  /** The schedule is disabled, because none of its subjects is left. */
  | { is: "ended"; code: number }
  /** The user was deleted. */
  | { is: "removed" }
  /** In the user's current zone, the sending time is still to come. */
  | { is: "moved"; time_zone: string; following: number }
);

/**
 * Stores outcomes in one transaction, except of schedules that were run or changed since they were read. A unique index
 * allows one report per day. Removes the users' oldest reports beyond `kept`.
 */
export async function storeOutcomes(db: Database, runs: ScheduleOutcome[], kept: number) {
  await write(db, {
    made: runs.map((run) => (run.is === "made" ? insertReport(db, run) : undefined)).filter((one) => one !== undefined),
    oldest: removeOldest(db, runs, kept),
    schedules: runs.map((run) => changeSchedule(db, run)),
  });
}

function insertReport(db: Database, { report: row, schedule }: Extract<ScheduleOutcome, { is: "made" }>) {
  return db
    .insert(report)
    .select(rowIf(report, row, isThere(reportSchedule, isUnchanged(schedule))))
    .onConflictDoNothing();
}

function changeSchedule(db: Database, run: ScheduleOutcome) {
  const asRead = isUnchanged(run.schedule);
  if (run.is === "removed") return db.delete(reportSchedule).where(asRead);
  return db.update(reportSchedule).set(toChanges(run)).where(asRead);
}

function toChanges(run: Exclude<ScheduleOutcome, { is: "removed" }>) {
  if (run.is === "ended") return { enabled: false, last_result: { success: false as const, code: run.code } };
  const next = { time_zone: run.time_zone, next_run: run.following };
  if (run.is === "moved") return next;
  if (run.is === "passed") return { ...next, last_result: { success: false as const, code: run.code } };
  const { schedule_id, schedule_day } = run.report;
  const made = sql`(SELECT ${report.id} FROM ${report}
    WHERE ${report.schedule_id} = ${schedule_id} AND ${report.schedule_day} = ${schedule_day})`;
  return { ...next, last_result: sql`json_object('success', json('true'), 'id', ${made})` };
}

function removeOldest(db: Database, runs: ScheduleOutcome[], kept: number) {
  const users = JSON.stringify(runs.map(({ schedule: { account_id, user_id } }) => [account_id, user_id]));
  const beyond = sql`(SELECT id FROM (SELECT own.id AS id,
      row_number() OVER (PARTITION BY own.account_id, own.user_id ORDER BY own.id DESC) AS place
    FROM ${report} AS own WHERE own.state <> 'removed' AND (own.account_id, own.user_id) IN
      (SELECT value ->> 0, value ->> 1 FROM json_each(${users}))) WHERE place > ${kept})`;
  return db
    .update(report)
    .set({ state: "removed" })
    .where(and(sql`${report.id} IN ${beyond}`, eq(report.state, "finished")));
}

function isUnchanged({ id, revision, next_run }: ScheduleRow) {
  const { enabled } = reportSchedule;
  return and(
    eq(reportSchedule.id, id),
    eq(reportSchedule.revision, revision),
    eq(reportSchedule.next_run, next_run),
    eq(enabled, true),
  );
}
