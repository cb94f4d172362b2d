import type { NewEvent } from "#shared/contract/event.ts";
import type { VisitReport } from "#shared/contract/visit.ts";
import type { TaskRow } from "../../table/task/task.ts";
import type { StatusChange, Verdict } from "./verdict.ts";

/** An entry of history that tells of a status. */
export type StatusEntry = { id: number; task_id: number; status: string; event_date: number; event_id: string | null };
type Entry = { task_id: number; status: string; event_date: number; event_id: string };
/** What a report changes: entries of history, and what is told. */
export type Changes = { outdated: number[]; entries: Entry[]; events: NewEvent[] };
type VisitedTask = Pick<TaskRow, "id" | "account_id" | "tracker_id" | "type" | "parent_id" | "label" | "status">;

/**
 * History has what the points show now, each turn under its moment. What was told of a turn that was none is corrected; that
 * a task had failed by the clock stays in history, as it did until the points came.
 */
export function computeChanges(
  task: VisitedTask,
  verdict: Verdict,
  entries: StatusEntry[],
  { revision }: VisitReport,
): Changes {
  const standing = entries.filter(({ status }) => status !== "failed");
  const turns = verdict.changes.map((turn) => ({ turn, known: standing.find(hasStatus(turn)) }));
  // History stands in the order of its entries, so behind a turn that is written anew all are.
  const moved = turns.findIndex(({ known, turn }) => known?.event_date !== turn.at);
  const keptTurns = moved < 0 ? turns : turns.slice(0, moved);
  const kept = new Set(keptTurns.map(({ known }) => known?.id));
  const wrong = standing.filter(({ status }) => !verdict.changes.some((turn) => turn.status === status));
  const failed = entries.filter(({ status }) => status === "failed").at(-1);
  const isSaved = task.status === "failed" && verdict.status !== "failed";
  return {
    outdated: standing.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
    entries: turns.slice(keptTurns.length).map(({ turn, known }) => toEntry(task, turn, known, revision)),
    events: [
      ...[...wrong, ...(isSaved && failed ? [failed] : [])].map((entry) => toCorrection(task, entry)),
      ...turns.flatMap(({ turn, known }) => (known ? [] : [toEvent(task, turn, revision)])),
    ],
  };
}

function hasStatus({ status }: StatusChange) {
  return (entry: StatusEntry) => entry.status === status;
}

function toEntry(
  task: VisitedTask,
  { status, at }: StatusChange,
  known: StatusEntry | undefined,
  revision: number,
): Entry {
  const event_id = known ? (known.event_id ?? toDefaultEventId(task, status)) : toEventId(task, status, revision);
  return { task_id: task.id, status, event_date: at, event_id };
}

function toEvent(task: VisitedTask, { status, at }: StatusChange, revision: number): NewEvent {
  return {
    ...toEventSubject(task),
    event_id: toEventId(task, status, revision),
    event: `${toEventPrefix(task)}_${toEventSuffix(status)}`,
    time: at,
  };
}

function toCorrection(task: VisitedTask, { status, event_date, event_id }: StatusEntry): NewEvent {
  const wrong = event_id ?? toDefaultEventId(task, status);
  return {
    ...toEventSubject(task),
    event_id: `${wrong}-corrected`,
    event: "corrected",
    time: event_date,
    corrects: wrong,
  };
}

function toEventSubject({ id, account_id, tracker_id, label, parent_id }: VisitedTask) {
  if (tracker_id === null) throw new Error("nobody's tracker visits nothing");
  const extra = { task_id: id, ...(parent_id !== null && { parent_task_id: parent_id }) };
  return { account_id, tracker_id, message: label, extra };
}

/** A turn that was corrected may come again: then it is another event. */
function toEventId(task: VisitedTask, status: string, revision: number) {
  return `${toDefaultEventId(task, status)}-${revision}`;
}

/** That of what no visit made: a submission, or the clock. */
function toDefaultEventId({ id }: VisitedTask, status: string) {
  return `task-${id}-${toEventSuffix(status)}`;
}

function toEventPrefix({ type }: VisitedTask) {
  return type === "checkpoint" ? "checkpoint" : "task";
}

function toEventSuffix<Status extends string>(status: Status) {
  // The one status whose event has another name.
  return (status === "done" ? "completed" : status) as Status extends "done" ? "completed" : Status;
}
