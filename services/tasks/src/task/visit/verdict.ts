import type { VisitReport } from "#shared/contract/visit.ts";
import { SECOND_MS } from "#shared/time/duration.ts";
import type { TaskRow } from "../../table/task.ts";

/** What visits are judged with; `submitted` is null where a form waits, undefined without one. */
export type VisitedTask = Pick<TaskRow, "status" | "status_change_date" | "to" | "deadline"> & {
  submitted: number | null | undefined;
};
type Progress = "arrived" | "done" | "delayed";
/** That a task came to a status, in point time. */
export type Turn = { status: Progress; at: number };
export type Verdict = Pick<TaskRow, "status" | "status_change_date" | "arrival_date" | "stay_duration"> & {
  turns: Turn[];
};

/**
 * What a task is by what its tracker's points show, whatever it was by those that had come before. That it has failed the
 * clock says; points alone show that it has not.
 */
export function verdictOf(task: VisitedTask, report: VisitReport, now: number): Verdict {
  const visits = { arrival_date: report.arrival_date, stay_duration: Math.floor(report.stay_ms / SECOND_MS) };
  const arrived: Turn[] = report.arrived === null ? [] : [{ status: "arrived", at: report.arrived }];
  const ended = endOf(task, report);
  const turns = ended ? [...arrived, ended] : arrived;
  if (!ended && task.status === "failed")
    return { ...visits, status: "failed", status_change_date: task.status_change_date, turns };
  const last = turns.at(-1);
  if (last) return { ...visits, status: last.status, status_change_date: last.at, turns };
  const status_change_date = task.status === "assigned" ? task.status_change_date : now;
  return { ...visits, status: "assigned", status_change_date, turns };
}

/** Once all that it asks for is done, in time. */
function endOf(task: VisitedTask, { stayed }: VisitReport): Turn | undefined {
  const at = completedAt(task, stayed);
  if (at === null) return undefined;
  // An end has whole seconds, of which the last one counts.
  if (at <= task.to + LAST_MS) return { status: "done", at };
  return at <= (task.deadline ?? task.to) ? { status: "delayed", at } : undefined;
}

function completedAt({ status, status_change_date, submitted }: VisitedTask, stayed: number | null): number | null {
  if (stayed === null || submitted === null) return null;
  if (submitted === undefined) return stayed;
  const isCompleted = status === "done" || status === "delayed";
  // A form that was corrected afterwards was submitted before.
  return Math.max(stayed, isCompleted ? Math.min(submitted, status_change_date) : submitted);
}

const LAST_MS = 999;
