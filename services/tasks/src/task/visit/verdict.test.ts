import { expect, test } from "vitest";
import type { VisitReport } from "#shared/contract/visit.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { changesOf, type StatusEntry } from "./changes.ts";
import { type VisitedTask, verdictOf } from "./verdict.ts";

const [TO, DEADLINE, NOW] = [60 * MINUTE_MS, 70 * MINUTE_MS, 90 * MINUTE_MS];
const STOP = {
  ...{ task_id: 1, lat: 50, lng: 8, radius: 100, from: 0, deadline: DEADLINE },
  ...{ min_arrival_ms: 0, min_stay_ms: 0 },
};
const TASK: VisitedTask = {
  ...{ status: "assigned" as const, status_change_date: 0, to: TO, deadline: DEADLINE },
  submitted: undefined,
};
const ROW = { id: 1, account_id: 3, tracker_id: 5, type: "task" as const, parent_id: null, label: "Parcel" };

test.each([
  ["not reached", null, null, "assigned", []],
  ["reached, with a stay to come", 50, null, "arrived", ["arrived"]],
  ["done at its end, whose last second counts", 50, TO / MINUTE_MS + 0.999 / 60, "done", ["arrived", "done"]],
  ["a second behind its end", 50, TO / MINUTE_MS + 1 / 60, "delayed", ["arrived", "delayed"]],
  ["at its deadline", 50, DEADLINE / MINUTE_MS, "delayed", ["arrived", "delayed"]],
] as const)("%s", (_case, arrived, stayed, status, turns) => {
  const verdict = verdictOf(TASK, reportOf(arrived, stayed), NOW);
  expect(verdict.status).toBe(status);
  expect(verdict.turns.map((turn) => turn.status)).toEqual(turns);
});

test("what the clock had failed is done where points show it, and else stays failed with what they show", () => {
  const failed = { ...TASK, status: "failed" as const, status_change_date: NOW };
  expect(verdictOf(failed, reportOf(50, 55), NOW)).toMatchObject({
    status: "done",
    status_change_date: 55 * MINUTE_MS,
  });
  expect(verdictOf(failed, reportOf(50, null), NOW)).toMatchObject({ status: "failed", status_change_date: NOW });
});

test("a form that waits keeps a task waiting; submitted behind the deadline it comes too late", () => {
  const statusOf = (submitted: number | null) => verdictOf({ ...TASK, submitted }, reportOf(50, 55), NOW).status;
  expect([null, 58, 65, 71].map((minutes) => statusOf(minutes && minutes * MINUTE_MS))).toEqual([
    ...["arrived", "done", "delayed", "arrived"],
  ]);
});

test("a form that was corrected after its task was done leaves it done", () => {
  const done = { ...TASK, status: "done" as const, status_change_date: 58 * MINUTE_MS, submitted: 80 * MINUTE_MS };
  expect(verdictOf(done, reportOf(50, 55), NOW)).toMatchObject({
    status: "done",
    status_change_date: 58 * MINUTE_MS,
  });
});

test("history keeps what still is so, moves what came earlier, and what is not so any more is corrected", () => {
  const entries: StatusEntry[] = [
    { id: 10, task_id: 1, status: "arrived", event_date: 50 * MINUTE_MS, event_id: "task-1-arrived-7" },
    { id: 11, task_id: 1, status: "done", event_date: 55 * MINUTE_MS, event_id: null },
  ];
  const done = { ...ROW, status: "done" as const };
  const changes = (arrived: number | null, stayed: number | null) => {
    const report = reportOf(arrived, stayed);
    return changesOf(done, verdictOf({ ...TASK, status: "done" }, report, NOW), entries, report);
  };
  expect(changes(50, 55)).toEqual({ outdated: [], entries: [], events: [] });
  expect(changes(40, 55)).toMatchObject({
    outdated: [10, 11],
    entries: [
      { status: "arrived", event_date: 40 * MINUTE_MS, event_id: "task-1-arrived-7" },
      { status: "done", event_date: 55 * MINUTE_MS, event_id: "task-1-completed" },
    ],
    events: [],
  });
  expect(changes(50, 54)).toMatchObject({ outdated: [11], entries: [{ status: "done" }], events: [] });
  expect(changes(50, null)).toMatchObject({
    outdated: [11],
    entries: [],
    events: [{ event: "corrected", event_id: "task-1-completed-corrected", corrects: "task-1-completed" }],
  });
});

function reportOf(arrived: number | null, stayed: number | null): VisitReport {
  const at = (minutes: number | null) => minutes && minutes * MINUTE_MS;
  return { stop: STOP, revision: 9, arrival_date: at(arrived), arrived: at(arrived), stay_ms: 0, stayed: at(stayed) };
}
