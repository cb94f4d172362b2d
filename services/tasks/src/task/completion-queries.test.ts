import { asc, eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { serveDatabase } from "#test/tool/database/server.ts";
import { PARCEL } from "#test/tool/sample/parcel.ts";
import { NO_LIMITS, nobody } from "../../../../shared/caller/principal.ts";
import { openDatabase } from "../../../../shared/database/open.ts";
import { insertTemplate } from "../form/template/queries.ts";
import { eventOutbox } from "../table/outbox/event-outbox.ts";
import { task } from "../table/task/task.ts";
import { taskHistory } from "../table/task/task-history.ts";
import { requireTaskForm } from "./form/queries.ts";
import { storeSubmissions } from "./form/submission-queries.ts";
import { insertTask } from "./queries.ts";
import { insertRoute } from "./route/insert-queries.ts";

const NOW = Date.parse("2026-11-20T08:00:00Z");
const MINUTE = 60_000;
const limits = { ...NO_LIMITS, tasks: 10_000, form_templates: 10 };
const principal = { ...nobody("none"), account_id: 1, scope: "all" as const, limits };
const actor = { account_id: 1, user_id: 1, host: "", user_agent: "", action_date: NOW };
const plain = { ...PARCEL, from: NOW - MINUTE, to: NOW + MINUTE, max_delay: 2, min_stay_duration: 1, tags: [] };

const db = openDatabase(await serveDatabase("tasks"));
let template_id: number;

beforeAll(async () => {
  const template = { label: "Note", description: null, fields: [], submit_in_zone: false, default: false };
  template_id = await insertTemplate(db, principal, template, actor);
});

beforeEach(async () => {
  await db.delete(eventOutbox);
});

const newTask = async () =>
  (await insertTask(db, principal, { ...plain, tracker_id: 7, form_template_id: template_id }, actor)).id;
const change = (id: number, changes: Partial<typeof task.$inferInsert>) =>
  db.update(task).set(changes).where(eq(task.id, id));
const arrive = (id: number, arrival_date = NOW - MINUTE, stay_duration = 60) =>
  change(id, { status: "arrived", arrival_date, stay_duration });
const statusOf = async (id: number) => (await db.select().from(task).where(eq(task.id, id)))[0]?.status;
const events = async () =>
  (await db.select().from(eventOutbox).orderBy(asc(sql`rowid`))).map(({ event }) => event.event);

async function submit(task_id: number, at = NOW) {
  const { form, form_revision, task: found } = await requireTaskForm(db, principal, task_id);
  const read = { form_id: form?.id ?? 0, revision: form_revision ?? 0, status: found.status };
  const submission = { values: {}, fileIds: [], submitted: at, submit_location: null, submit_areas: null };
  await storeSubmissions(db, principal, [{ task_id, ...read, ...submission }], { ...actor, action_date: at });
}

test("a submission completes a task that has arrived and stayed long enough, a late one as delayed", async () => {
  const [done, delayed] = [await newTask(), await newTask()];
  await arrive(done);
  await submit(done);
  await arrive(delayed);
  await submit(delayed, NOW + 2 * MINUTE);
  expect([await statusOf(done), await statusOf(delayed)]).toEqual(["done", "delayed"]);
  const expected = ["task_form_submitted", "task_completed", "task_form_submitted", "task_delayed"];
  expect(await events()).toEqual(expected);
  const history = await db.select().from(taskHistory).where(eq(taskHistory.task_id, done)).orderBy(asc(taskHistory.id));
  expect(history.at(-1)).toMatchObject({ operation: "status_change", user_id: 1, payload: { status: "done" } });
});

test("a submission leaves a task that has not arrived, has not stayed or is past its deadline as it is", async () => {
  const [away, short, late] = [await newTask(), await newTask(), await newTask()];
  await submit(away);
  await arrive(short, NOW, 59);
  await submit(short);
  await arrive(late);
  await submit(late, NOW + 4 * MINUTE);
  expect([await statusOf(away), await statusOf(short), await statusOf(late)]).toEqual([
    "assigned",
    "arrived",
    "arrived",
  ]);
  expect(new Set(await events())).toEqual(new Set(["task_form_submitted"]));
});

test.each([
  ["done", "done", NOW - 2 * MINUTE],
  ["faulty", "delayed", NOW],
  ["failed", "failed", NOW - 2 * MINUTE],
] as const)("a route is %s with its last checkpoint, when the first was %s", async (expected, status, arrival_date) => {
  const stop = { ...plain, id: null, form_template_id: template_id };
  const route = { label: "Loop", description: "", external_id: null, tags: [], tracker_id: 7 };
  const { result } = await insertRoute(db, principal, route, [stop, stop], actor);
  const [first = 0, second = 0] = result.checkpoint_ids;
  await arrive(first, arrival_date);
  await change(first, { status });
  await arrive(second);
  await submit(second);
  expect([await statusOf(second), await statusOf(result.id)]).toEqual(["done", expected]);
  const word = expected === "done" ? "completed" : expected;
  expect((await events()).toSorted()).toEqual(["checkpoint_completed", `route_${word}`, "task_form_submitted"]);
});

test("a route stays open while another checkpoint is", async () => {
  const stop = { ...plain, id: null, form_template_id: template_id };
  const route = { label: "Loop", description: "", external_id: null, tags: [], tracker_id: 7 };
  const { result } = await insertRoute(db, principal, route, [stop, stop], actor);
  const [first = 0] = result.checkpoint_ids;
  await arrive(first);
  await submit(first);
  expect([await statusOf(first), await statusOf(result.id)]).toEqual(["done", "assigned"]);
});
