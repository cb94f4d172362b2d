import type { VisitReport } from "#shared/contract/visit.ts";
import { SECOND_MS } from "#shared/time/duration.ts";
import type { TaskRow } from "../../table/task/task.ts";

/** What visits are judged with; `submitted` is null where a form waits, undefined without one. */
export type VisitedTask = Pick<TaskRow, "status" | "status_change_date" | "to" | "deadline"> & {
  submitted: number | null | undefined;
};
type ReportedStatus = "arrived" | "done" | "delayed";
/** That a task came to a status, in point time. */
export type StatusChange = { status: ReportedStatus; at: number };
export type Verdict = Pick<TaskRow, "status" | "status_change_date" | "arrival_date" | "stay_duration"> & {
  changes: StatusChange[];
};

/**
 * What a task is by what its tracker's points show, whatever it was by those that had come before. That it has failed the
 * clock says; points alone show that it has not.
 */
export function judgeVisit(task: VisitedTask, report: VisitReport, now: number): Verdict {
  const visits = { arrival_date: report.arrival_date, stay_duration: Math.floor(report.stay_ms / SECOND_MS) };
  const arrived: StatusChange[] = report.arrived === null ? [] : [{ status: "arrived", at: report.arrived }];
  const ended = findEnd(task, report);
  const changes = ended ? [...arrived, ended] : arrived;
  if (!ended && task.status === "failed")
    return { ...visits, status: "failed", status_change_date: task.status_change_date, changes };
  const last = changes.at(-1);
  if (last) return { ...visits, status: last.status, status_change_date: last.at, changes };
  const status_change_date = task.status === "assigned" ? task.status_change_date : now;
  return { ...visits, status: "assigned", status_change_date, changes };
}

/** Once all that it asks for is done, in time. */
function findEnd(task: VisitedTask, { stayed }: VisitReport): StatusChange | undefined {
  const at = findCompletion(task, stayed);
  if (at === null) return undefined;
  // An end has whole seconds, of which the last one counts.
  if (at <= task.to + LAST_MS_OF_SECOND) return { status: "done", at };
  return at <= (task.deadline ?? task.to) ? { status: "delayed", at } : undefined;
}

function findCompletion({ status, status_change_date, submitted }: VisitedTask, stayed: number | null): number | null {
  if (stayed === null || submitted === null) return null;
  if (submitted === undefined) return stayed;
  const isCompleted = status === "done" || status === "delayed";
  // A form that was corrected afterwards was submitted before.
  return Math.max(stayed, isCompleted ? Math.min(submitted, status_change_date) : submitted);
}

const LAST_MS_OF_SECOND = 999;
