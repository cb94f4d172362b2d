import type { NewEvent } from "#shared/contract/event/event.ts";
import type { VisitReport } from "#shared/contract/point/visit.ts";
import type { TaskRow } from "../../table/task/task.ts";
import type { StatusChange, Verdict } from "./verdict.ts";

/** A history entry that stores a change of status. */
export type StatusEntry = { id: number; task_id: number; status: string; event_date: number; event_id: string | null };
type Entry = { task_id: number; status: string; event_date: number; event_id: string };
/** Changes of history that a report causes (`outdated` are ids to delete), and the events to deliver. */
export type Changes = { outdated: number[]; entries: Entry[]; events: NewEvent[] };
type VisitedTask = Pick<TaskRow, "id" | "account_id" | "tracker_id" | "type" | "parent_id" | "label" | "status">;

/**
 * Compares the verdict with history: entries get the moments that the points show now, wrong events are corrected. An
 * entry of a failure stays, because the task had failed until the points came.
 */
export function computeChanges(
  task: VisitedTask,
  verdict: Verdict,
  entries: StatusEntry[],
  { revision }: VisitReport,
): Changes {
  const reported = entries.filter(({ status }) => status !== "failed");
  const matches = verdict.changes.map((change) => ({ change, entry: reported.find(hasStatus(change)) }));
  // Entries are read in the order of their ids, so all entries after one that changes are written again.
  const firstMoved = matches.findIndex(({ change, entry }) => entry?.event_date !== change.at);
  const unmoved = firstMoved < 0 ? matches : matches.slice(0, firstMoved);
  const unmovedIds = new Set(unmoved.map(({ entry }) => entry?.id));
  const wrong = reported.filter(({ status }) => !verdict.changes.some((change) => change.status === status));
  const failure = entries.filter(({ status }) => status === "failed").at(-1);
  const isNoFailure = task.status === "failed" && verdict.status !== "failed";
  return {
    outdated: reported.filter(({ id }) => !unmovedIds.has(id)).map(({ id }) => id),
    entries: matches.slice(unmoved.length).map(({ change, entry }) => toEntry(task, change, entry, revision)),
    events: [
      ...[...wrong, ...(isNoFailure && failure ? [failure] : [])].map((entry) => toCorrection(task, entry)),
      ...matches.flatMap(({ change, entry }) => (entry ? [] : [toEvent(task, change, revision)])),
    ],
  };
}

function hasStatus({ status }: StatusChange) {
  return (entry: StatusEntry) => entry.status === status;
}

function toEntry(
  task: VisitedTask,
  { status, at }: StatusChange,
  entry: StatusEntry | undefined,
  revision: number,
): Entry {
  const event_id = entry ? (entry.event_id ?? toDefaultEventId(task, status)) : toEventId(task, status, revision);
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

/** Has the revision, because a status that was corrected may be reached again, which is another event. */
function toEventId(task: VisitedTask, status: string, revision: number) {
  return `${toDefaultEventId(task, status)}-${revision}`;
}

/** The event id of a status that no visit caused, but a submission or the deadline. */
function toDefaultEventId({ id }: VisitedTask, status: string) {
  return `task-${id}-${toEventSuffix(status)}`;
}

function toEventPrefix({ type }: VisitedTask) {
  return type === "checkpoint" ? "checkpoint" : "task";
}

function toEventSuffix<Status extends string>(status: Status) {
  // `done` is the only status whose event has another name.
  return (status === "done" ? "completed" : status) as Status extends "done" ? "completed" : Status;
}
