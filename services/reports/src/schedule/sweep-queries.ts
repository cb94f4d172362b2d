import { and, asc, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere, rowIf } from "#shared/database/rows.ts";
import { write } from "#shared/database/steps.ts";
import { ownerOf, recordChange, recordEachChange } from "../outbox/audit.ts";
import { recordCreation, selectEntries } from "../report/queries.ts";
import { report } from "../table/report.ts";
import { reportSchedule, type ScheduleRow } from "../table/report-schedule.ts";
import { summaryOf } from "./queries.ts";

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
export async function storeOutcomes(db: Database, runs: ScheduleOutcome[], kept: number, now: number) {
  const beyond = isBeyond(runs, kept);
  await write(db, {
    made: runs.flatMap((run) => (run.is === "made" ? insertReport(db, run, now) : [])),
    removals: recordEachChange(
      db,
      ownerOf({ account_id: 0, user_id: 0 }, now),
      { is: ["report", "delete"], account_id: sql`thing.account_id`, user_id: sql`thing.user_id` },
      selectEntries(beyond),
    ),
    oldest: db.update(report).set({ state: "removed" }).where(beyond),
    schedules: runs.flatMap((run) => changeSchedule(db, run, now)),
  });
}

function insertReport(db: Database, { report: row, schedule }: Extract<ScheduleOutcome, { is: "made" }>, now: number) {
  const inserted = db
    .insert(report)
    .select(rowIf(report, row, isThere(reportSchedule, isUnchanged(schedule))))
    .onConflictDoNothing();
  return [inserted, recordCreation(db, row, ownerOf(schedule, now))];
}

/** The statements that store an outcome in its schedule. The end and the removal of a schedule are recorded. */
function changeSchedule(db: Database, run: ScheduleOutcome, now: number): BatchItem<"sqlite">[] {
  const { schedule } = run;
  const asRead = isUnchanged(schedule);
  const actor = ownerOf(schedule, now);
  if (run.is === "removed") {
    const entry = { is: ["report_schedule", "delete"] as const, entry_id: schedule.id, payload: summaryOf(schedule) };
    return [db.delete(reportSchedule).where(asRead), recordChange(db, actor, entry)];
  }
  const changed = db.update(reportSchedule).set(toChanges(run)).where(asRead);
  if (run.is !== "ended") return [changed];
  const payload = { ...summaryOf({ ...schedule, enabled: false }), code: run.code };
  const entry = { is: ["report_schedule", "disable"] as const, entry_id: schedule.id, payload };
  return [changed, recordChange(db, actor, entry)];
}

function toChanges(run: Exclude<ScheduleOutcome, { is: "removed" }>) {
  if (run.is === "ended") return { enabled: false, last_result: { success: false as const, code: run.code } };
  const next = { time_zone: run.time_zone, next_run: run.following };
  if (run.is === "moved") return next;
  if (run.is === "passed") return { ...next, last_result: { success: false as const, code: run.code } };
  const { schedule_id, schedule_day } = run.report;
  const id = sql`(SELECT ${report.id} FROM ${report}
    WHERE ${report.schedule_id} = ${schedule_id} AND ${report.schedule_day} = ${schedule_day})`;
  return { ...next, last_result: sql`json_object('success', json('true'), 'id', ${id})` };
}

/** The finished reports that the users of the schedules have beyond `kept`. */
function isBeyond(runs: ScheduleOutcome[], kept: number) {
  const users = JSON.stringify(runs.map(({ schedule: { account_id, user_id } }) => [account_id, user_id]));
  const beyond = sql`(SELECT id FROM (SELECT own.id AS id,
      row_number() OVER (PARTITION BY own.account_id, own.user_id ORDER BY own.id DESC) AS place
    FROM ${report} AS own WHERE own.state <> 'removed' AND (own.account_id, own.user_id) IN
      (SELECT value ->> 0, value ->> 1 FROM json_each(${users}))) WHERE place > ${kept})`;
  return and(sql`${report.id} IN ${beyond}`, eq(report.state, "finished"));
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
