import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabaseFile } from "#test/tool/database/file.ts";
import { syncChange } from "../../services/tasks/src/table/sync/sync-change.ts";
import { syncRevision } from "../../services/tasks/src/table/sync/sync-revision.ts";
import { systemNow } from "../time/clock.ts";
import { DAY_MS } from "../time/duration.ts";
import { forgetChanges } from "./forget-queries.ts";

const TABLES = { changes: syncChange, revisions: syncRevision };

const db = await openDatabaseFile("tasks");

test("removals are known for 30 days, and each account keeps its own mark up to where changes are forgotten", async () => {
  const now = systemNow();
  const change = (account_id: number, revision: number, days: number) => ({
    ...{ account_id, revision, kind: "task" as const, id: revision, tracker_id: 0 },
    changed: now - days * DAY_MS,
  });
  await db.insert(syncRevision).values([1, 2, 3].map((account_id) => ({ account_id, revision: 9, forgotten: 0 })));
  await db
    .insert(syncChange)
    .values([change(1, 3, 40), change(1, 5, 31), change(1, 6, 29), change(2, 4, 32), change(3, 1, 0)]);
  await forgetChanges(db, TABLES, now);
  const left = await db.select({ revision: syncChange.revision }).from(syncChange).orderBy(syncChange.revision);
  expect(left.map(({ revision }) => revision)).toEqual([1, 6]);
  const heads = await db
    .select({ forgotten: syncRevision.forgotten })
    .from(syncRevision)
    .orderBy(syncRevision.account_id);
  expect(heads.map(({ forgotten }) => forgotten)).toEqual([5, 4, 0]);
  await forgetChanges(db, TABLES, now);
  const [first] = await db.select().from(syncRevision).where(eq(syncRevision.account_id, 1));
  expect(first).toEqual({ account_id: 1, revision: 9, forgotten: 5 });
});
