import { and, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { VisitingTracker, VisitReport } from "#shared/contract/point/visit.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { demand, outdatedError, read, retryOutdated, write } from "#shared/database/steps.ts";
import { form } from "../../table/form/form.ts";
import { eventOutbox } from "../../table/outbox/event-outbox.ts";
import { type TaskRow, task } from "../../table/task/task.ts";
import { taskHistory } from "../../table/task/task-history.ts";
import { taskVisit } from "../../table/task/task-visit.ts";
import { isFormOfTask } from "../list-queries.ts";
import { type Changes, computeChanges, type StatusEntry } from "./changes.ts";
import { isOfFeed } from "./clone-queries.ts";
import { recomputeRoutes } from "./route-queries.ts";
import { isSameStop, toStop } from "./stop.ts";
import { judgeVisit, type Verdict } from "./verdict.ts";

type VisitedTask = {
  row: TaskRow;
  form_revision: number | null;
  submitted: number | null;
  visitRevision: number | null;
};
type Judgement = { task: VisitedTask; report: VisitReport; verdict: Verdict; changes: Changes };

/**
 * Stores reports of visits, as long as the tasks are as they were read. Outdated reports, and reports on stops that
 * were moved or given to another tracker, are ignored.
 */
export function storeVisits(db: Database, tracker: VisitingTracker, reports: VisitReport[], now: number) {
  return retryOutdated(async () => {
    const judgements = judge(await readVisited(db, tracker, reports), reports, now);
    // One transaction for the tracker's own account, and one for each account of a clone.
    const ofAccounts = Map.groupBy(judgements, ({ task }) => task.row.account_id);
    for (const [account_id, own] of ofAccounts) await storeJudgements(db, account_id, own, now);
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
        visitRevision: taskVisit.revision,
      })
      .from(task)
      .leftJoin(form, isFormOfTask)
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
    const { row, form_revision, submitted, visitRevision } = visited;
    const [report, stop] = [reports.find(({ stop }) => stop.task_id === row.id), toStop(row)];
    if (!report || !stop || !isSameStop(stop, report.stop) || report.revision <= (visitRevision ?? 0)) return [];
    const verdict = judgeVisit({ ...row, submitted: form_revision === null ? undefined : submitted }, report, now);
    const own = entries.filter(({ task_id }) => task_id === row.id);
    return [{ task: visited, report, verdict, changes: computeChanges(row, verdict, own, report) }];
  });
}

async function storeJudgements(db: Database, account_id: number, judgements: Judgement[], now: number) {
  const changes = judgements.map((one) => one.changes);
  const events = changes.flatMap((one) => one.events);
  const entries = changes.flatMap((one) => one.entries);
  const ids = judgements.map(({ task }) => task.row.id);
  await write(db, {
    isCurrent: demand(areUnchanged(account_id, judgements), outdatedError),
    noted: db
      .insert(taskVisit)
      .values(judgements.map(({ task, report }) => ({ task_id: task.row.id, account_id, revision: report.revision })))
      .onConflictDoUpdate({ target: taskVisit.task_id, set: { revision: sql`excluded.revision` } }),
    events: events.length > 0 ? insertEvents(db, events) : undefined,
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
    updated: updateTasks(db, account_id, judgements),
    routes: recomputeRoutes(
      db,
      { account_id, now, revision: Math.max(...judgements.map(({ report }) => report.revision)) },
      ids,
    ),
  });
}

function insertEvents(db: Database, events: Changes["events"]) {
  const rows = events.map((event) => ({ event_id: event.event_id, account_id: event.account_id, event }));
  return db.insert(eventOutbox).values(rows).onConflictDoNothing();
}

/**
 * True when no task or form was changed, assigned or submitted, and no later report was stored since they were read.
 */
function areUnchanged(account_id: number, judgements: Judgement[]) {
  const expected = judgements.map(({ task: { row, form_revision, visitRevision } }) => {
    return {
      id: row.id,
      tracker_id: row.tracker_id,
      revision: row.revision,
      status: row.status,
      form: form_revision ?? -1,
      visit_revision: visitRevision ?? -1,
    };
  });
  return sql`(SELECT count(*) FROM json_each(${JSON.stringify(expected)}) AS expected
    JOIN ${task} ON ${task.id} = expected.value ->> 'id'
    WHERE ${task.account_id} = ${account_id} AND ${task.tracker_id} = expected.value ->> 'tracker_id'
      AND ${task.revision} = expected.value ->> 'revision' AND ${task.status} = expected.value ->> 'status'
      AND coalesce((SELECT revision FROM ${form} WHERE ${isFormOfTask}), -1) = expected.value ->> 'form'
      AND coalesce((SELECT revision FROM ${taskVisit} WHERE ${taskVisit.task_id} = ${task.id}), -1) = expected.value ->> 'visit_revision'
  ) = ${judgements.length}`;
}

/** Updates the tasks whose verdict differs from their row. */
function updateTasks(db: Database, account_id: number, judgements: Judgement[]) {
  const changed = judgements.flatMap(({ task: { row }, verdict: { changes, ...verdict } }) =>
    hasVerdict(row, verdict) ? [] : [{ id: row.id, ...verdict }],
  );
  const selectMember = (name: string) =>
    sql`(SELECT verdict.value ->> ${sql.raw(`'${name}'`)} FROM json_each(${JSON.stringify(changed)}) AS verdict
      WHERE verdict.value ->> 'id' = ${task.id})`;
  return db
    .update(task)
    .set({
      status: selectMember("status"),
      status_change_date: selectMember("status_change_date"),
      arrival_date: selectMember("arrival_date"),
      stay_duration: selectMember("stay_duration"),
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

function hasVerdict(row: TaskRow, verdict: Omit<Verdict, "changes">) {
  return (
    row.status === verdict.status &&
    row.status_change_date === verdict.status_change_date &&
    row.arrival_date === verdict.arrival_date &&
    row.stay_duration === verdict.stay_duration
  );
}
