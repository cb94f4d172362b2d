import type { VisitReport } from "#shared/contract/point/visit.ts";
import { SECOND_MS } from "#shared/time/duration.ts";
import type { TaskRow } from "../../table/task/task.ts";

/**
 * The columns that a verdict depends on. `submitted` is null while a form waits for its submission, undefined without a
 * form.
 */
export type VisitedTask = Pick<TaskRow, "status" | "status_change_date" | "to" | "deadline"> & {
  submitted: number | null | undefined;
};
type ReportedStatus = "arrived" | "done" | "delayed";
/** A status that a task reached, at the time of a point. */
export type StatusChange = { status: ReportedStatus; at: number };
export type Verdict = Pick<TaskRow, "status" | "status_change_date" | "arrival_date" | "stay_duration"> & {
  changes: StatusChange[];
};

/**
 * The task's status by the points of its tracker, independent of its status by earlier points. Only the deadline sweep
 * fails a task; only points can undo that.
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

/** The completion, once stay and form are done by the deadline. */
function findEnd(task: VisitedTask, { stayed }: VisitReport): StatusChange | undefined {
  const at = findCompletion(task, stayed);
  if (at === null) return undefined;
  // An end has whole seconds: the last second counts to its end.
  if (at <= task.to + LAST_MS_OF_SECOND) return { status: "done", at };
  return at <= (task.deadline ?? task.to) ? { status: "delayed", at } : undefined;
}

function findCompletion({ status, status_change_date, submitted }: VisitedTask, stayed: number | null): number | null {
  if (stayed === null || submitted === null) return null;
  if (submitted === undefined) return stayed;
  const isCompleted = status === "done" || status === "delayed";
  // Correcting a form later does not move the completion.
  return Math.max(stayed, isCompleted ? Math.min(submitted, status_change_date) : submitted);
}

const LAST_MS_OF_SECOND = 999;
