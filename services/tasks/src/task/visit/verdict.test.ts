import { expect, test } from "vitest";
import type { VisitReport } from "#shared/contract/point/visit.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { computeChanges, type StatusEntry } from "./changes.ts";
import { judgeVisit, type VisitedTask } from "./verdict.ts";

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
  ["that was not reached is assigned", null, null, "assigned", []],
  ["that was reached without its stay is arrived", 50, null, "arrived", ["arrived"]],
  ["done within the last second of its end is done", 50, TO / MINUTE_MS + 0.999 / 60, "done", ["arrived", "done"]],
  ["done a second behind its end is delayed", 50, TO / MINUTE_MS + 1 / 60, "delayed", ["arrived", "delayed"]],
  ["done at its deadline is delayed", 50, DEADLINE / MINUTE_MS, "delayed", ["arrived", "delayed"]],
] as const)("judgeVisit a task %s", (_case, arrived, stayed, status, turns) => {
  const verdict = judgeVisit(TASK, reportOf(arrived, stayed), NOW);
  expect(verdict.status).toBe(status);
  expect(verdict.changes.map((turn) => turn.status)).toEqual(turns);
});

test("judgeVisit completes a task that failed by the clock when points show its visit, and else leaves it failed", () => {
  const failed = { ...TASK, status: "failed" as const, status_change_date: NOW };
  expect(judgeVisit(failed, reportOf(50, 55), NOW)).toMatchObject({
    status: "done",
    status_change_date: 55 * MINUTE_MS,
  });
  expect(judgeVisit(failed, reportOf(50, null), NOW)).toMatchObject({ status: "failed", status_change_date: NOW });
});

test("judgeVisit keeps a task open while its form is missing, and does not complete it by a form behind the deadline", () => {
  const statusOf = (submitted: number | null) => judgeVisit({ ...TASK, submitted }, reportOf(50, 55), NOW).status;
  expect([null, 58, 65, 71].map((minutes) => statusOf(minutes && minutes * MINUTE_MS))).toEqual([
    ...["arrived", "done", "delayed", "arrived"],
  ]);
});

test("judgeVisit leaves a done task done when its form is corrected later", () => {
  const done = { ...TASK, status: "done" as const, status_change_date: 58 * MINUTE_MS, submitted: 80 * MINUTE_MS };
  expect(judgeVisit(done, reportOf(50, 55), NOW)).toMatchObject({
    status: "done",
    status_change_date: 58 * MINUTE_MS,
  });
});

test("computeChanges keeps history entries that still hold, moves those that came earlier, and corrects the others", () => {
  const entries: StatusEntry[] = [
    { id: 10, task_id: 1, status: "arrived", event_date: 50 * MINUTE_MS, event_id: "task-1-arrived-7" },
    { id: 11, task_id: 1, status: "done", event_date: 55 * MINUTE_MS, event_id: null },
  ];
  const done = { ...ROW, status: "done" as const };
  const changes = (arrived: number | null, stayed: number | null) => {
    const report = reportOf(arrived, stayed);
    return computeChanges(done, judgeVisit({ ...TASK, status: "done" }, report, NOW), entries, report);
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
