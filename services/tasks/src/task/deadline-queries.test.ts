import { expect, test } from "vitest";
import { serveDatabase } from "#test/tool/database/server.ts";
import { PARCEL } from "#test/tool/sample/parcel.ts";
import { NO_LIMITS, nobody } from "../../../../shared/caller/principal.ts";
import { openDatabase } from "../../../../shared/database/open.ts";
import { eventOutbox } from "../table/outbox/event-outbox.ts";
import { task } from "../table/task/task.ts";
import { sweepDeadlines } from "./deadline-queries.ts";
import { insertTask } from "./queries.ts";

const NOW = Date.parse("2026-11-20T08:00:00Z");
const LATE_TASKS = 1200;

const db = openDatabase(await serveDatabase("tasks"));

test("sweepDeadlines delivers after each of its transactions, not after the last one", async () => {
  const limits = { ...NO_LIMITS, tasks: 10_000 };
  const principal = { ...nobody("none"), account_id: 1, scope: "all" as const, limits };
  const actor = { account_id: 1, user_id: 1, host: "", user_agent: "", action_date: NOW };
  const late = { ...PARCEL, from: NOW - 2000, to: NOW - 1000, max_delay: 0, tags: [], tracker_id: 7 };
  const { id } = await insertTask(db, principal, late, { ...actor, action_date: NOW - 5000 });
  const [row] = await db.select().from(task);
  if (!row) throw new Error("the task was not stored");
  const copies = Array.from({ length: LATE_TASKS - 1 }, (_, index) => ({ ...row, id: id + index + 1 }));
  for (let from = 0; from < copies.length; from += 100) await db.insert(task).values(copies.slice(from, from + 100));
  const waiting: number[] = [];
  await sweepDeadlines(db, NOW, async () => waiting.push(await db.$count(eventOutbox)));
  expect(waiting).toEqual([500, 1000, LATE_TASKS]);
});
