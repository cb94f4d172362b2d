import { createHash } from "node:crypto";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Test files that take longest. One of them at the end of a run would keep one processor busy while the others have nothing
 * left to do.
 */
export const LONG_FILES = [
  "scripts/deploy/deploy.test.ts",
  "scripts/backup/backup.test.ts",
  "test/console/frame.test.ts",
  "test/console/journeys.test.ts",
  "test/console/name.test.ts",
  "test/console/rule.test.ts",
  "test/console/zone.test.ts",
  "test/fault/databases-away.test.ts",
  "test/fault/killed-workers.test.ts",
  "test/fault/start.test.ts",
  "test/limit/cost.test.ts",
  "test/live/ingest.test.ts",
  "test/live/sockets.test.ts",
  "test/live/visits.test.ts",
  "test/reports/clock-change.test.ts",
  "test/reports/recorded.test.ts",
  "test/reports/turns.test.ts",
  "test/rule/audit.test.ts",
  "test/rule/idempotency.test.ts",
  "test/rule/round-trips.test.ts",
  "test/rule/scope.test.ts",
  "test/storage/archive.test.ts",
  "test/storage/grown-databases.test.ts",
  "test/storage/retention.test.ts",
  "test/storage/shared-journal.test.ts",
];

/** Runs long files first; the seed decides about the order among them and among the others. */
export default class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const placed = files.map((file) => ({ file, place: placeOf(file.moduleId, seed) }));
    return placed.toSorted((one, other) => (one.place < other.place ? -1 : 1)).map(({ file }) => file);
  }
}

function placeOf(path: string, seed: number): string {
  const isLong = LONG_FILES.some((file) => path.endsWith(`/${file}`));
  return (isLong ? "0" : "1") + createHash("sha256").update(`${seed} ${path}`).digest("hex");
}
