import { asc } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { NO_LIMITS } from "#shared/caller/principal.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/duration.ts";
import { openDatabaseFile } from "#test/tool/database/file.ts";
import { form } from "../../table/form/form.ts";
import { formTemplate } from "../../table/form/form-template.ts";
import { taskSchedule } from "../../table/schedule/task-schedule.ts";
import { tagBinding } from "../../table/tag/tag-binding.ts";
import { task } from "../../table/task/task.ts";
import { taskHistory } from "../../table/task/task-history.ts";
import { findNextRun } from "../days.ts";
import { sweepSchedules as sweep } from "../sweep.ts";
import { selectDue } from "../sweep-queries.ts";

const at = (text: string) => Date.parse(text);
/** A Friday, 9 in the morning in Berlin. */
const FRIDAY = at("2026-11-20T08:00:00Z");
const SATURDAY = at("2026-11-20T23:00:30Z");
const DAILY = { type: "weekdays" as const, weekdays: [1, 2, 3, 4, 5, 6, 7] };

/** Limits the tasks of an account. */
let most = 1_000_000;
const limits = {
  limitsOf: async (ids: number[]) => Object.fromEntries(ids.map((id) => [id, { ...NO_LIMITS, tasks: most }])),
};
const sweepSchedules = (now: number) => sweep(db, limits, now);

const db = await openDatabaseFile("tasks");

beforeEach(async () => {
  most = 1_000_000;
  for (const table of [task, taskSchedule, taskHistory, tagBinding, form]) await db.delete(table);
});

type Row = Partial<typeof taskSchedule.$inferInsert>;

function rowOf(more: Row, made = FRIDAY) {
  const { parameters = DAILY, time_zone = "Europe/Berlin" } = more;
  return {
    ...{ account_id: 7, tracker_id: 71, label: "Loop", description: "", from_time: "06:30:00", duration: 60 },
    location: { lat: 52.5, lng: 13.4, address: "Yard", radius: 100 },
    ...{ max_delay: 0, min_stay_duration: 0, min_arrival_duration: 0 },
    ...{ label_folded: "loop", description_folded: "", address_folded: "yard" },
    ...{ parameters, time_zone, next_run: findNextRun(parameters, made, time_zone) },
    ...more,
  };
}

const inserted = async (rows: ReturnType<typeof rowOf>[]) =>
  (await db.insert(taskSchedule).values(rows).returning({ id: taskSchedule.id })).map(({ id }) => id);

/** Plans a route, by default with two checkpoints of an hour each, at half past six and at nine. */
async function plan(more: Row = {}, stops: Row[] = [{}, { from_time: "09:00:00" }], made = FRIDAY) {
  const [parent_id] = await inserted([rowOf({ type: "route", ...more }, made)]);
  const members = stops.map((stop, order) => ({ label: `Stop ${order}`, ...more, ...stop, parent_id, order }));
  const ids = await inserted(members.map((stop) => rowOf({ ...stop, type: "checkpoint" }, made)));
  return { id: Number(parent_id), stops: ids };
}

const made = () => db.select().from(task).orderBy(asc(task.id));
const daysOf = async (type: string) =>
  (await made()).filter((one) => one.type === type).map(({ schedule_date }) => schedule_date);

test("a sweep makes a route as its day begins, with its checkpoints in order, their tags and their history", async () => {
  const { id, stops } = await plan({}, [{ max_delay: 15 }, { from_time: "09:00:00", duration: 30 }]);
  const bound = [id, ...stops].map((entity_id, index) => ({ entity_id, tag_id: 5 + index, ordinal: 0, account_id: 7 }));
  await db.insert(tagBinding).values(bound.map((one) => ({ ...one, entity_type: "task_schedule" as const })));
  await sweepSchedules(SATURDAY - 31_000);
  expect(await made()).toEqual([]);
  await sweepSchedules(SATURDAY);
  const [route, ...checkpoints] = await made();
  const shared = {
    account_id: 7,
    tracker_id: 71,
    status: "assigned",
    origin: "scheduled",
    schedule_date: "2026-11-21",
  };
  expect(route).toMatchObject({
    ...{ ...shared, type: "route", label: "Loop", schedule_id: id, parent_id: null, order: null },
    ...{ location: null, lat: null, lng: null, deadline: null, address_folded: null },
    ...{ from: at("2026-11-21T05:30:00Z"), to: at("2026-11-21T08:30:00Z") },
  });
  const place = { location: { lat: 52.5, lng: 13.4, address: "Yard", radius: 100 }, lat: 52.5, lng: 13.4 };
  const ofRoute = { ...shared, ...place, type: "checkpoint", parent_id: route?.id, address_folded: "yard" };
  expect(checkpoints).toMatchObject([
    { ...ofRoute, order: 0, label: "Stop 0", schedule_id: stops[0], deadline: at("2026-11-21T06:45:00Z") },
    { ...ofRoute, order: 1, schedule_id: stops[1], from: at("2026-11-21T08:00:00Z"), to: at("2026-11-21T08:30:00Z") },
  ]);
  expect(await db.select().from(taskHistory).orderBy(asc(taskHistory.task_id))).toMatchObject([
    { task_id: route?.id, operation: "create", payload: { type: "route", tags: [5] } },
    { task_id: checkpoints[0]?.id, payload: { parent_id: route?.id, order: 0, tags: [6] } },
    { task_id: checkpoints[1]?.id, payload: { parent_id: route?.id, order: 1, tags: [7] } },
  ]);
});

test("a sweep gives a checkpoint the form of its own template", async () => {
  const template = { account_id: 7, label: "Note", fields: [], submit_in_zone: false, default: false, version: 3 };
  const texts = { label_folded: "note", description_folded: "", created: FRIDAY, updated: FRIDAY };
  const [one] = await db
    .insert(formTemplate)
    .values({ ...template, ...texts })
    .returning({ id: formTemplate.id });
  const { stops } = await plan({}, [{}, { form_template_id: one?.id }]);
  await sweepSchedules(SATURDAY);
  const last = (await made()).find(({ schedule_id }) => schedule_id === stops[1]);
  expect(await db.select().from(form)).toMatchObject([{ task_id: last?.id, template_id: one?.id, account_id: 7 }]);
});

test("a sweep makes a day's route once, with several sweeps at once and after its deletion", async () => {
  await plan();
  await Promise.all([sweepSchedules(SATURDAY), sweepSchedules(SATURDAY), sweepSchedules(SATURDAY)]);
  expect((await made()).map(({ type }) => type)).toEqual(["route", "checkpoint", "checkpoint"]);
  await db.delete(task);
  await sweepSchedules(SATURDAY + HOUR_MS);
  expect(await made()).toEqual([]);
});

test("a sweep makes no second route of a day that comes again, and no checkpoints that are new since", async () => {
  const { id: parent_id } = await plan();
  await sweepSchedules(SATURDAY);
  await inserted([rowOf({ type: "checkpoint", parent_id, order: 2 })]);
  // In a zone further west this day has not begun.
  const next_run = findNextRun({ type: "weekdays", weekdays: [6] }, SATURDAY, "America/New_York");
  await db.update(taskSchedule).set({ time_zone: "America/New_York", next_run });
  await sweepSchedules(SATURDAY + 8 * HOUR_MS);
  expect((await made()).map(({ type }) => type)).toEqual(["route", "checkpoint", "checkpoint"]);
  expect(await db.select().from(taskHistory)).toHaveLength(3);
});

test("a sweep after an outage makes a whole route of each day on which a checkpoint is not over", async () => {
  await plan({}, [{}, { from_time: "09:00:00", duration: 2880 }]);
  await sweepSchedules(at("2026-11-24T12:00:00Z"));
  expect(await daysOf("route")).toEqual(["2026-11-23", "2026-11-24"]);
  expect(await daysOf("checkpoint")).toHaveLength(4);
});

test("a sweep makes a route on its own days alone, and skips a 31st that a month lacks", async () => {
  await plan({ parameters: { type: "month_days", month_days: [30, 31] } });
  for (let day = 0; day < 44; day++) await sweepSchedules(SATURDAY + day * DAY_MS);
  expect(await daysOf("route")).toEqual(["2026-11-30", "2026-12-30", "2026-12-31"]);
});

test("a sweep gives checkpoints their hours on days of 23 and 25 hours too", async () => {
  const sweepDays = async (days: string[]) => {
    for (const day of days) await sweepSchedules(at(`${day}T00:30:00Z`));
    return (await made())
      .filter(({ type }) => type === "checkpoint")
      .map(({ from }) => new Date(from).toISOString().slice(0, 16));
  };
  const night: Row[] = [{ from_time: "02:30:00" }, { from_time: "06:30:00" }];
  await plan({}, night, at("2026-03-28T12:00:00Z"));
  // The zone has no time between 02:00 and 03:00 on this day.
  expect(await sweepDays(["2026-03-29"])).toEqual(["2026-03-29T01:30", "2026-03-29T04:30"]);
  for (const table of [task, taskSchedule]) await db.delete(table);
  await plan({}, night, at("2026-10-24T12:00:00Z"));
  expect(await sweepDays(["2026-10-25"])).toEqual(["2026-10-25T00:30", "2026-10-25T05:30"]);
});

test("a sweep makes a route whole or not at all: with too little room in the account the day passes without", async () => {
  await plan();
  await plan();
  most = 5;
  await sweepSchedules(SATURDAY);
  expect(await made()).toHaveLength(3);
  most = 2;
  await sweepSchedules(SATURDAY + DAY_MS);
  expect(await made()).toHaveLength(3);
});

test("a sweep makes a route that changes meanwhile as it is then, and a paused one not at all", async () => {
  const { id, stops } = await plan();
  await plan({ paused: true });
  const slow = {
    limitsOf: async (ids: number[]) => {
      const [row] = await db.select().from(taskSchedule).where(undefined).orderBy(asc(taskSchedule.id)).limit(1);
      if (row?.revision === 0) {
        await db.update(taskSchedule).set({ revision: 1 });
        await inserted([rowOf({ type: "checkpoint", parent_id: id, order: 2, from_time: "11:00:00" })]);
      }
      return limits.limitsOf(ids);
    },
  };
  await sweep(db, slow, SATURDAY);
  const tasks = await made();
  expect(tasks.map(({ schedule_id }) => schedule_id).slice(0, 3)).toEqual([id, ...stops]);
  expect(tasks).toHaveLength(4);
  expect(tasks[0]?.to).toBe(at("2026-11-21T11:00:00Z"));
});

test("a sweep takes routes with many checkpoints a few at a time, and lets no account wait for another", async () => {
  const many = Array.from({ length: 300 }, () => ({}));
  for (let count = 0; count < 4; count++) await plan({}, many);
  const other = await plan({ account_id: 8 });
  const due = await selectDue(db, SATURDAY, 500);
  expect(due).toHaveLength(3);
  expect(due.map(({ id }) => id)).toContain(other.id);
  await sweepSchedules(SATURDAY);
  expect(await daysOf("route")).toHaveLength(5);
});
