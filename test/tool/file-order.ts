import { createHash } from "node:crypto";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Test files that take longest. One of them at the end of a run would keep one processor busy while the others have nothing
 * left to do.
 */
export const LONG_FILES = [
  "scripts/backup/backup.test.ts",
  "scripts/deploy/deploy.test.ts",
  "scripts/smoke/smoke.test.ts",
  "services/fleet/src/vehicle/service-task/operations.test.ts",
  "test/console/frame.test.ts",
  "test/console/journeys.test.ts",
  "test/console/place.test.ts",
  "test/console/rule.test.ts",
  "test/console/zone.test.ts",
  "test/fault/killed-calls.test.ts",
  "test/fault/killed-workers.test.ts",
  "test/fault/releases.test.ts",
  "test/fault/start.test.ts",
  "test/limit/upload-memory.test.ts",
  "test/reports/recorded.test.ts",
  "test/rule/idempotency.test.ts",
  "test/rule/round-trips.test.ts",
  "test/rule/scope.test.ts",
  "test/storage/avatars.test.ts",
  "test/storage/backup.test.ts",
  "test/storage/shared-journal.test.ts",
  "test/storage/unused-files.test.ts",
  "test/work/lists.test.ts",
];

/** Long test files that wait for most of their time: for an answer that must not come, or until nothing happens any more. */
export const WAITING_FILES = [
  "test/fault/databases-away.test.ts",
  "test/limit/cost.test.ts",
  "test/limit/expensive-calls.test.ts",
  "test/live/metrics.test.ts",
  "test/live/sockets.test.ts",
  "test/live/visits.test.ts",
  "test/storage/archive.test.ts",
  "test/storage/retention.test.ts",
  "test/storage/write-groups.test.ts",
];

/**
 * Runs long files first, with those that wait spread among them: while several wait together, a processor has nothing to do.
 * The seed decides about the order among the files of each kind.
 */
export default class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const placed = files.map((file) => ({ file, place: placeOf(file.moduleId, seed) }));
    const shuffled = placed.toSorted((one, other) => (one.place < other.place ? -1 : 1)).map(({ file }) => file);
    const waiting = shuffled.filter((file) => isAmong(WAITING_FILES, file));
    const long = shuffled.filter((file) => isAmong(LONG_FILES, file));
    const others = shuffled.filter((file) => !waiting.includes(file) && !long.includes(file));
    return [...spread(waiting, long), ...others];
  }
}

/** Puts the same number of `others` behind each file of `few`, and what is left of them at the end. */
function spread<File>(few: File[], others: File[]): File[] {
  const share = Math.floor(others.length / Math.max(1, few.length));
  const mixed = few.flatMap((file, index) => [file, ...others.slice(index * share, (index + 1) * share)]);
  return [...mixed, ...others.slice(few.length * share)];
}

function isAmong(paths: string[], { moduleId }: TestSpecification): boolean {
  return paths.some((path) => moduleId.endsWith(`/${path}`));
}

function placeOf(path: string, seed: number): string {
  return createHash("sha256").update(`${seed} ${path}`).digest("hex");
}
