import { expect, test } from "vitest";
import type { ChangedWork, VisitedWork } from "#shared/contract/point/visit.ts";
import { MAX_TRACKERS_PER_WORK_PAGE } from "#shared/contract/point/visit.ts";
import { WorkRevisions } from "./work-revisions.ts";

test("work revisions are read once, page after page, and later only the changed ones", async () => {
  const work: ChangedWork[] = Array.from({ length: MAX_TRACKERS_PER_WORK_PAGE + 3 }, (_, index) => ({
    tracker_id: index + 1,
    revision: index + 1,
  }));
  const asked: number[] = [];
  const revisions = revisionsOf(async (_account_id, revision) => {
    asked.push(revision);
    return work.filter((row) => row.revision > revision).slice(0, MAX_TRACKERS_PER_WORK_PAGE);
  });
  expect(
    await Promise.all([
      revisions.revisionOf(1),
      revisions.revisionOf(MAX_TRACKERS_PER_WORK_PAGE + 2),
      revisions.revisionOf(90_000),
    ]),
  ).toEqual([...[1, MAX_TRACKERS_PER_WORK_PAGE + 2, 0]]);
  expect(asked).toEqual([0, MAX_TRACKERS_PER_WORK_PAGE]);
  work.push({ tracker_id: 1, revision: MAX_TRACKERS_PER_WORK_PAGE + 4 });
  expect(await revisions.revisionOf(1)).toBe(1);
  revisions.invalidate();
  expect(await revisions.revisionOf(1)).toBe(MAX_TRACKERS_PER_WORK_PAGE + 4);
  expect(asked).toEqual([0, MAX_TRACKERS_PER_WORK_PAGE, MAX_TRACKERS_PER_WORK_PAGE + 3]);
});

test("a change that is reported while work revisions are being read is read after them", async () => {
  const answers: ((page: ChangedWork[]) => void)[] = [];
  const revisions = revisionsOf(() => new Promise((resolve) => answers.push(resolve)));
  const early = revisions.revisionOf(1);
  revisions.invalidate();
  const late = revisions.revisionOf(1);
  answers[0]?.([{ tracker_id: 1, revision: 1 }]);
  expect(await early).toBe(1);
  answers[1]?.([{ tracker_id: 1, revision: 2 }]);
  expect(await late).toBe(2);
});

test("work revisions are null when the tasks service does not answer, and no device waits for it", async () => {
  const hanging = revisionsOf(() => new Promise(() => undefined));
  expect(await hanging.revisionOf(1)).toBe(null);
  const failing = revisionsOf(() => Promise.reject(new Error("away")));
  expect(await failing.revisionOf(1)).toBe(null);
});

function revisionsOf(changedWork: VisitedWork["changedWork"]) {
  const tasks = { changedWork, stopsOf: () => Promise.reject(), reportVisits: () => Promise.reject() };
  return new WorkRevisions(tasks, () => 7);
}
