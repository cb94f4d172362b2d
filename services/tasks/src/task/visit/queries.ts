import { and, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { VisitingTracker, VisitReport } from "#shared/contract/visit.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { demand, outdatedError, read, retryOutdated, write } from "#shared/database/steps.ts";
import { eventOutbox } from "../../table/event-outbox.ts";
import { form } from "../../table/form.ts";
import { type TaskRow, task } from "../../table/task.ts";
import { taskHistory } from "../../table/task-history.ts";
import { taskVisit } from "../../table/task-visit.ts";
import { ofTask } from "../list-queries.ts";
import { type Changes, changesOf, type StatusEntry } from "./changes.ts";
import { isOfFeed } from "./clone-queries.ts";
import { settleRoutes } from "./route-queries.ts";
import { isSameStop, stopOf } from "./stop.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

type VisitedTask = {
  row: TaskRow;
  form_revision: number | null;
  submitted: number | null;
  known: number | null;
};
type Judgement = { task: VisitedTask; report: VisitReport; verdict: Verdict; changes: Changes };

/**
 * What the points of a tracker show of its tasks, as long as they are as they were read. Reports that came before, and
 * those on what is elsewhere or another tracker's by now, change nothing.
 */
export function storeVisits(db: Database, tracker: VisitingTracker, reports: VisitReport[], now: number) {
  return retryOutdated(async () => {
    const judged = judge(await readVisited(db, tracker, reports), reports, now);
    // The tracker's own account, and those that have turned meanwhile of its clones', few as they are.
    const ofAccounts = Map.groupBy(judged, ({ task }) => task.row.account_id);
    for (const [account_id, own] of ofAccounts) await storeJudged(db, account_id, own, now);
  });
}

async function readVisited(db: Database, tracker: VisitingTracker, reports: VisitReport[]) {
  const ids = reports.map(({ stop }) => stop.task_id);
  const own = and(isOfFeed(tracker), among(task.id, ids));
  return read(db, {
    tasks: db
      .select({
        row: getTableColumns(task),
        form_revision: form.revision,
        submitted: form.submitted,
        known: taskVisit.revision,
      })
      .from(task)
      .leftJoin(form, ofTask)
      .leftJoin(taskVisit, eq(taskVisit.task_id, task.id))
      .where(and(own, inArray(task.status, ["assigned", "arrived", "done", "delayed", "failed"]))),
    entries: db
      .select({
        id: taskHistory.id,
        task_id: taskHistory.task_id,
        status: sql<string>`${taskHistory.payload} ->> 'status'`,
        event_date: taskHistory.event_date,
        event_id: taskHistory.event_id,
      })
      .from(taskHistory)
      .where(
        and(
          sql`(${taskHistory.account_id}, ${taskHistory.task_id}) IN (SELECT ${task.account_id}, ${task.id} FROM ${task} WHERE ${own})`,
          eq(taskHistory.operation, "status_change"),
          sql`${taskHistory.payload} ->> 'status' IN ('arrived', 'done', 'delayed', 'failed')`,
        ),
      )
      .orderBy(taskHistory.id),
  });
}

function judge(
  { tasks, entries }: { tasks: VisitedTask[]; entries: StatusEntry[] },
  reports: VisitReport[],
  now: number,
): Judgement[] {
  return tasks.flatMap((visited): Judgement[] => {
    const { row, form_revision, submitted, known } = visited;
    const [report, stop] = [reports.find(({ stop }) => stop.task_id === row.id), stopOf(row)];
    if (!report || !stop || !isSameStop(stop, report.stop) || report.revision <= (known ?? 0)) return [];
    const verdict = verdictOf({ ...row, submitted: form_revision === null ? undefined : submitted }, report, now);
    const own = entries.filter(({ task_id }) => task_id === row.id);
    return [{ task: visited, report, verdict, changes: changesOf(row, verdict, own, report) }];
  });
}

async function storeJudged(db: Database, account_id: number, judged: Judgement[], now: number) {
  const changes = judged.map((one) => one.changes);
  const events = changes.flatMap((one) => one.events);
  const entries = changes.flatMap((one) => one.entries);
  const ids = judged.map(({ task }) => task.row.id);
  await write(db, {
    isCurrent: demand(areAsRead(account_id, judged), outdatedError),
    noted: db
      .insert(taskVisit)
      .values(judged.map(({ task, report }) => ({ task_id: task.row.id, account_id, revision: report.revision })))
      .onConflictDoUpdate({ target: taskVisit.task_id, set: { revision: sql`excluded.revision` } }),
    events: events.length > 0 ? tell(db, events) : undefined,
    outdated: db.delete(taskHistory).where(
      and(
        eq(taskHistory.account_id, account_id),
        among(
          taskHistory.id,
          changes.flatMap((one) => one.outdated),
        ),
      ),
    ),
    history:
      entries.length > 0
        ? db.insert(taskHistory).values(
            entries.map(({ status, ...entry }) => ({
              ...entry,
              ...{ account_id, user_id: account_id, operation: "status_change" as const, payload: { status } },
            })),
          )
        : undefined,
    updated: update(db, account_id, judged),
    routes: settleRoutes(
      db,
      { account_id, now, revision: Math.max(...judged.map(({ report }) => report.revision)) },
      ids,
    ),
  });
}

function tell(db: Database, events: Changes["events"]) {
  const rows = events.map((event) => ({ event_id: event.event_id, account_id: event.account_id, event }));
  return db.insert(eventOutbox).values(rows).onConflictDoNothing();
}

/** Nobody has changed, given away or submitted any of them since, nor has a later report come. */
function areAsRead(account_id: number, judged: Judgement[]) {
  const seen = judged.map(({ task: { row, form_revision, known } }) => {
    return {
      id: row.id,
      tracker_id: row.tracker_id,
      revision: row.revision,
      status: row.status,
      form: form_revision ?? -1,
      known: known ?? -1,
    };
  });
  return sql`(SELECT count(*) FROM json_each(${JSON.stringify(seen)}) AS seen
    JOIN ${task} ON ${task.id} = seen.value ->> 'id'
    WHERE ${task.account_id} = ${account_id} AND ${task.tracker_id} = seen.value ->> 'tracker_id'
      AND ${task.revision} = seen.value ->> 'revision' AND ${task.status} = seen.value ->> 'status'
      AND coalesce((SELECT revision FROM ${form} WHERE ${ofTask}), -1) = seen.value ->> 'form'
      AND coalesce((SELECT revision FROM ${taskVisit} WHERE ${taskVisit.task_id} = ${task.id}), -1) = seen.value ->> 'known'
  ) = ${judged.length}`;
}

/** Those that become others. */
function update(db: Database, account_id: number, judged: Judgement[]) {
  const changed = judged.flatMap(({ task: { row }, verdict: { turns, ...verdict } }) =>
    isAlready(row, verdict) ? [] : [{ id: row.id, ...verdict }],
  );
  const given = (name: string) =>
    sql`(SELECT verdict.value ->> ${sql.raw(`'${name}'`)} FROM json_each(${JSON.stringify(changed)}) AS verdict
      WHERE verdict.value ->> 'id' = ${task.id})`;
  return db
    .update(task)
    .set({
      status: given("status"),
      status_change_date: given("status_change_date"),
      arrival_date: given("arrival_date"),
      stay_duration: given("stay_duration"),
    })
    .where(
      and(
        eq(task.account_id, account_id),
        among(
          task.id,
          changed.map(({ id }) => id),
        ),
      ),
    );
}

function isAlready(row: TaskRow, verdict: Omit<Verdict, "turns">) {
  return (
    row.status === verdict.status &&
    row.status_change_date === verdict.status_change_date &&
    row.arrival_date === verdict.arrival_date &&
    row.stay_duration === verdict.stay_duration
  );
}
