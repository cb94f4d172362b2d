import { asc } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { type Limits, NO_LIMITS } from "#shared/caller/principal.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/duration.ts";
import { openDatabaseFile } from "#test/tool/database/file.ts";
import type { Database } from "../../../../shared/database/open.ts";
import { form } from "../table/form/form.ts";
import { formTemplate } from "../table/form/form-template.ts";
import { taskSchedule } from "../table/schedule/task-schedule.ts";
import { tagBinding } from "../table/tag/tag-binding.ts";
import { task } from "../table/task/task.ts";
import { taskHistory } from "../table/task/task-history.ts";
import { findNextRun } from "./days.ts";
import { sweepSchedules as sweep } from "./sweep.ts";

const BERLIN = "Europe/Berlin";
const at = (text: string) => Date.parse(text);
/** A Friday, 9 in the morning in Berlin. */
const FRIDAY = at("2026-11-20T08:00:00Z");
const SATURDAY = at("2026-11-20T23:00:30Z");

/** Limits the tasks of an account. */
let most = 1_000_000;
const limits = {
  limitsOf: async (ids: number[]) =>
    Object.fromEntries(ids.map((id): [number, Limits] => [id, { ...NO_LIMITS, tasks: most }])),
};
const sweepSchedules = (database: Database, now: number) => sweep(database, limits, now);

const db = await openDatabaseFile("tasks");

beforeEach(async () => {
  most = 1_000_000;
  for (const table of [task, taskSchedule, taskHistory, tagBinding]) await db.delete(table);
});

function rowOf(more: Partial<typeof taskSchedule.$inferInsert>, made = FRIDAY) {
  const parameters = more.parameters ?? { type: "weekdays" as const, weekdays: [1, 2, 3, 4, 5, 6, 7] };
  const time_zone = more.time_zone ?? BERLIN;
  return {
    account_id: 7,
    tracker_id: 71,
    label: "Empty the bins",
    description: "All of them",
    location: { lat: 52.5, lng: 13.4, address: "Yard", radius: 100 },
    from_time: "06:30:00",
    duration: 60,
    max_delay: 15,
    min_stay_duration: 5,
    min_arrival_duration: 1,
    parameters,
    time_zone,
    next_run: findNextRun(parameters, made, time_zone),
    label_folded: "empty the bins",
    description_folded: "all of them",
    address_folded: "yard",
    ...more,
  };
}

async function plan(more: Partial<typeof taskSchedule.$inferInsert> = {}, made = FRIDAY) {
  const row = rowOf(more, made);
  const [inserted] = await db.insert(taskSchedule).values(row).returning({ id: taskSchedule.id });
  return Number(inserted?.id);
}

const made = () => db.select().from(task).orderBy(asc(task.from));
const days = async () => (await made()).map(({ schedule_date }) => schedule_date);

test("a sweep gives a task the form of its schedule's template, and none of a deleted or another account's", async () => {
  const template = { label: "Note", fields: [], submit_in_zone: false, default: false, version: 3 };
  const texts = { label_folded: "note", description_folded: "", created: FRIDAY, updated: FRIDAY };
  const [own, foreign] = await db
    .insert(formTemplate)
    .values([7, 8].map((account_id) => ({ ...template, ...texts, account_id })))
    .returning({ id: formTemplate.id });
  for (const form_template_id of [own?.id, foreign?.id, 999]) await plan({ form_template_id });
  await Promise.all([sweepSchedules(db, SATURDAY), sweepSchedules(db, SATURDAY)]);
  const forms = await db.select().from(form);
  const tasks = await made();
  expect(tasks).toHaveLength(3);
  expect(forms).toMatchObject([
    { account_id: 7, template_id: own?.id, template_version: 3, label: "Note", values: null },
  ]);
  expect(tasks.map(({ id }) => id)).toContain(forms[0]?.task_id);
});

test("a sweep makes a schedule's task as its day begins, with its tags and its history", async () => {
  const schedule_id = await plan();
  await db.insert(tagBinding).values(
    [5, 3].map((tag_id, ordinal) => ({
      entity_type: "task_schedule" as const,
      entity_id: schedule_id,
      ordinal,
      tag_id,
      account_id: 7,
    })),
  );
  await sweepSchedules(db, SATURDAY - 31_000);
  expect(await made()).toEqual([]);
  await sweepSchedules(db, SATURDAY);
  const [one, ...others] = await made();
  expect(others).toEqual([]);
  expect(one).toEqual({
    id: one?.id,
    account_id: 7,
    revision: 0,
    tracker_id: 71,
    type: "task",
    parent_id: null,
    order: null,
    label: "Empty the bins",
    description: "All of them",
    location: { lat: 52.5, lng: 13.4, address: "Yard", radius: 100 },
    lat: 52.5,
    lng: 13.4,
    from: at("2026-11-21T05:30:00Z"),
    to: at("2026-11-21T06:30:00Z"),
    external_id: null,
    status: "assigned",
    status_change_date: SATURDAY,
    creation_date: SATURDAY,
    max_delay: 15,
    min_stay_duration: 5,
    min_arrival_duration: 1,
    arrival_date: null,
    stay_duration: 0,
    origin: "scheduled",
    deadline: at("2026-11-21T06:45:00Z"),
    schedule_id,
    schedule_date: "2026-11-21",
    label_folded: "empty the bins",
    description_folded: "all of them",
    address_folded: "yard",
    external_id_folded: null,
  });
  const bound = await db.select().from(tagBinding).where(undefined).orderBy(asc(tagBinding.ordinal));
  expect(bound.filter(({ entity_type }) => entity_type === "task").map(({ tag_id }) => tag_id)).toEqual([5, 3]);
  expect(await db.select().from(taskHistory)).toMatchObject([
    { task_id: one?.id, user_id: 7, operation: "create", payload: { label: "Empty the bins", tags: [5, 3] } },
  ]);
});

test("a sweep makes a day's task once, with several sweeps at once and after its deletion", async () => {
  await plan();
  await Promise.all([sweepSchedules(db, SATURDAY), sweepSchedules(db, SATURDAY)]);
  expect(await days()).toEqual(["2026-11-21"]);
  await db.delete(task);
  await sweepSchedules(db, SATURDAY + HOUR_MS);
  expect(await days()).toEqual([]);
});

test("a sweep makes no second task of a day when the schedule's days change", async () => {
  await plan();
  await sweepSchedules(db, SATURDAY);
  // In a zone further west this day has not begun.
  const next_run = findNextRun({ type: "weekdays", weekdays: [6] }, SATURDAY, "America/New_York");
  await db.update(taskSchedule).set({ time_zone: "America/New_York", next_run });
  await sweepSchedules(db, SATURDAY + 8 * HOUR_MS);
  expect(await days()).toEqual(["2026-11-21"]);
  expect(await db.select().from(taskHistory)).toHaveLength(1);
});

test("a sweep after days of outage makes the tasks that are not over yet, and no others", async () => {
  await plan();
  await plan({ duration: 2880, tracker_id: null });
  await sweepSchedules(db, at("2026-11-24T12:00:00Z"));
  expect(await days()).toEqual(["2026-11-23", "2026-11-24"]);
  expect((await made()).map(({ status }) => status)).toEqual(["unassigned", "unassigned"]);
});

test("a sweep makes a task on the schedule's weekdays and days of the month alone", async () => {
  await plan({ parameters: { type: "weekdays", weekdays: [1] } });
  await plan({ parameters: { type: "month_days", month_days: [31] } });
  for (let day = 0; day < 44; day++) await sweepSchedules(db, SATURDAY + day * DAY_MS);
  expect(await days()).toEqual([
    "2026-11-23",
    "2026-11-30",
    "2026-12-07",
    "2026-12-14",
    "2026-12-21",
    "2026-12-28",
    "2026-12-31",
  ]);
});

test("a sweep gives a task its hour on days of 23 and 25 hours too", async () => {
  await plan({ time_zone: BERLIN }, at("2026-03-27T12:00:00Z"));
  for (const day of ["2026-03-28T00:00:00Z", "2026-03-29T00:00:00Z", "2026-03-30T00:00:00Z"]) {
    await sweepSchedules(db, at(day));
  }
  expect((await made()).map(({ from }) => new Date(from).toISOString())).toEqual([
    "2026-03-28T05:30:00.000Z",
    "2026-03-29T04:30:00.000Z",
    "2026-03-30T04:30:00.000Z",
  ]);
});

test("a sweep makes no more tasks than the account has room for, and the days pass without", async () => {
  for (let count = 0; count < 5; count++) await plan();
  await plan({ account_id: 8 });
  most = 3;
  await sweepSchedules(db, SATURDAY);
  const byAccount = Object.groupBy(await made(), ({ account_id }) => account_id);
  expect([byAccount[7]?.length, byAccount[8]?.length]).toEqual([3, 1]);
  await sweepSchedules(db, SATURDAY + DAY_MS);
  expect((await made()).map(({ account_id }) => account_id).toSorted()).toEqual([7, 7, 7, 8, 8]);
  most = 4;
  await sweepSchedules(db, SATURDAY + 2 * DAY_MS);
  expect((await made()).filter(({ account_id }) => account_id === 7)).toHaveLength(4);
});

test("a sweep makes an account's one task without waiting for another's thousands", async () => {
  const backlog = Array.from({ length: 500 }, () => rowOf({ next_run: SATURDAY - 2 }));
  for (let part = 0; part < 22; part++) await db.insert(taskSchedule).values(backlog);
  const id = await plan({ account_id: 8, next_run: SATURDAY - 1 });
  await sweepSchedules(db, SATURDAY);
  expect((await made()).filter(({ schedule_id }) => schedule_id === id)).toHaveLength(1);
});
