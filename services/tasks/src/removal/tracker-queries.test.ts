import { count, eq, isNull, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { NO_LIMITS, nobody } from "#shared/caller/principal.ts";
import { openDatabase } from "#shared/database/open.ts";
import { selectObjects } from "#shared/database/rows.ts";
import { serveDatabase } from "#test/tool/database/server.ts";
import { PARCEL } from "#test/tool/sample/parcel.ts";
import { task } from "../table/task/task.ts";
import { removedTracker } from "../table/tracker/removed-tracker.ts";
import { insertTask, storeAssignment } from "../task/queries.ts";
import { storeRemovedTrackers, sweepRemovedTrackers } from "./tracker-queries.ts";

const NOW = Date.parse("2026-11-20T08:00:00Z");
const GONE = { tracker_id: 71, account_id: 1 };
const limits = { ...NO_LIMITS, tasks: 10_000, schedules: 10_000 };
const principal = { ...nobody("none"), account_id: 1, scope: "all" as const, limits };
const actor = { account_id: 1, user_id: 1, host: "", user_agent: "", action_date: NOW };
const plain = { ...PARCEL, from: NOW, to: NOW + 1, tags: [] };

const db = openDatabase(await serveDatabase("tasks"));

test("a removed tracker leaves its tasks part by part, ended ones keep their status, and it gets no new ones", async () => {
  const { id: free } = await insertTask(db, principal, { ...plain, tracker_id: null }, actor);
  const { id } = await insertTask(db, principal, { ...plain, tracker_id: GONE.tracker_id }, actor);
  await copy(id, 1200);
  await db.run(sql`UPDATE task SET status = 'done' WHERE id = ${id}`);
  const ofOwn = sql`${task.account_id} = ${GONE.account_id}`;
  const taken = async () =>
    (
      await db
        .select({ count: count() })
        .from(task)
        .where(sql`${ofOwn} AND ${isNull(task.tracker_id)}`)
    )[0]?.count;
  const isPending = async () =>
    (await db.select().from(removedTracker).where(eq(removedTracker.tracker_id, GONE.tracker_id)))[0]?.pending;

  await storeRemovedTrackers(db, [GONE], NOW);
  expect([await taken(), await isPending()]).toEqual([501, true]);
  await Promise.all([
    sweepRemovedTrackers(db, NOW),
    sweepRemovedTrackers(db, NOW),
    storeRemovedTrackers(db, [GONE], NOW),
  ]);
  expect([await taken(), await isPending()]).toEqual([1202, false]);
  const statuses = await db
    .select({ status: task.status, count: count() })
    .from(task)
    .where(ofOwn)
    .groupBy(task.status);
  expect(statuses).toEqual([
    { status: "done", count: 1 },
    { status: "unassigned", count: 1201 },
  ]);

  // These calls have read the tracker before it was removed.
  await expect(insertTask(db, principal, { ...plain, tracker_id: GONE.tracker_id }, actor)).rejects.toMatchObject({
    code: 201,
  });
  await expect(storeAssignment(db, principal, free, GONE.tracker_id, actor)).rejects.toMatchObject({ code: 204 });
});

test("a removed tracker's one task does not wait for another account's thousands", async () => {
  const busy = await insertTask(db, { ...principal, account_id: 3 }, { ...plain, tracker_id: 72 }, actor);
  await copy(busy.id, 1200);
  const { id } = await insertTask(db, { ...principal, account_id: 4 }, { ...plain, tracker_id: 90 }, actor);
  const removed = [
    { tracker_id: 72, account_id: 3 },
    { tracker_id: 90, account_id: 4 },
  ];
  await storeRemovedTrackers(db, removed, NOW);
  expect((await db.select().from(task).where(sql`${task.id} = ${id}`))[0]).toMatchObject({ tracker_id: null });
  await sweepRemovedTrackers(db, NOW);
  expect(await db.select().from(removedTracker).where(sql`pending`)).toEqual([]);
});

/** Adds `times` copies of the task. */
async function copy(id: number, times: number) {
  const columns = await selectObjects<{ name: string }>(db, sql`SELECT name FROM pragma_table_info('task')`);
  const names = columns.map(({ name }) => name).filter((name) => name !== "id");
  const copied = sql.raw(names.map((name) => `"${name}"`).join(", "));
  const numbers = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${times}) SELECT i FROM n`;
  await db.run(sql`INSERT INTO task (${copied}) SELECT ${copied} FROM task, (${numbers}) WHERE id = ${id}`);
}
