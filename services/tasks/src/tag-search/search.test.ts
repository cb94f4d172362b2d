import { expect, test } from "vitest";
import { NO_LIMITS, nobody } from "#shared/caller/principal.ts";
import { openDatabase } from "#shared/database/open.ts";
import { deleteTagBindings } from "#shared/database/tag-binding/owner.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import { serveDatabase } from "#test/tool/database/server.ts";
import { PARCEL } from "#test/tool/sample/parcel.ts";
import type { TasksEnv } from "../env.ts";
import { insertSchedule } from "../schedule/queries.ts";
import { removedTag } from "../table/tag/removed-tag.ts";
import { tagBinding } from "../table/tag/tag-binding.ts";
import { changeTask, insertTask } from "../task/queries.ts";
import { insertRoute } from "../task/route/insert-queries.ts";
import { taggedWith } from "./search.ts";

const NOW = Date.parse("2026-11-20T08:00:00Z");
const [COLD, HOT] = [11, 12];
const zones = { time_zone: "Europe/Berlin", account_time_zone: "Europe/Berlin" };
const limits = { ...NO_LIMITS, tasks: 100, schedules: 100 };
const principal = { ...nobody("none"), account_id: 1, scope: [71], limits, ...zones };
const actor = { account_id: 1, user_id: 1, host: "", user_agent: "", action_date: NOW };
const task = { ...PARCEL, from: NOW, to: NOW + HOUR_MS, tags: [COLD, HOT] };

// The tested functions call no other service.
const env = (await serveDatabase("tasks")) as TasksEnv;

test("a tag search finds visible tasks with all of the tags as the read calls show them, until a tag is removed", async () => {
  const db = openDatabase(env);
  const { id } = await insertTask(db, principal, { ...task, tracker_id: 71 }, actor);
  await insertTask(db, principal, { ...task, tracker_id: 72 }, actor);
  await insertTask(db, { ...principal, account_id: 2 }, { ...task, tracker_id: null }, { ...actor, account_id: 2 });
  const stops = [
    { ...task, id: null, tags: [HOT] },
    { ...task, id: null },
  ];
  const route = { label: "Loop", description: "", external_id: null, tags: [HOT, COLD], tracker_id: null };
  const { result } = await insertRoute(db, principal, route, stops, actor);
  const days = { from_time: "08:00:00", duration: 5, parameters: { type: "weekdays" as const, weekdays: [1] } };
  const schedule = await insertSchedule(db, principal, { ...PARCEL, ...days, tags: [COLD], tracker_id: null }, actor);

  const ask = (type: "task" | "task_schedule", tag_ids: number[], more = {}) =>
    taggedWith(env, principal, { type, tag_ids, after: 0, iso: false, ...more });
  const all = await ask("task", [COLD, HOT]);
  expect(all).toMatchObject({
    items: [
      { id, type: "task", tags: [COLD, HOT], from: "2026-11-20 09:00:00" },
      { id: result.id, type: "route", tags: [HOT, COLD], checkpoint_ids: result.checkpoint_ids },
      { id: result.checkpoint_ids[1], type: "checkpoint", order: 1 },
    ],
    after: undefined,
  });
  const { items } = await ask("task", [COLD, HOT], { iso: true });
  expect(items.slice(1)).toMatchObject([{ from: "2026-11-20T09:00:00+01:00" }, {}]);
  expect((await ask("task", [COLD], { after: id })).items).toHaveLength(2);
  expect(await ask("task_schedule", [COLD])).toMatchObject({ items: [{ id: schedule, tags: [COLD] }] });
  expect((await ask("task_schedule", [HOT])).items).toEqual([]);

  for (const _ of ["once", "told again"])
    await deleteTagBindings(db, tagBinding, removedTag, [{ account_id: 1, tag_id: HOT }]);
  expect((await ask("task", [HOT])).items).toEqual([]);
  expect((await ask("task", [COLD])).items.map(({ id }) => id)).toEqual([id, result.id, result.checkpoint_ids[1]]);

  // These calls have read the tag before it was removed.
  const refused = {
    code: 7,
    extra: { errors: [{ parameter: expect.stringMatching(/^(task|route|schedule)\.tags$/) }] },
  };
  const { tracker_id, ...given } = { ...task, tracker_id: null };
  const late = [
    insertTask(db, principal, { ...task, tracker_id: null }, actor),
    changeTask(db, principal, { id, revision: 0, members: given, tags: given.tags }, actor),
    insertRoute(db, principal, route, stops, actor),
    insertSchedule(db, principal, { ...PARCEL, ...days, tags: [HOT], tracker_id: null }, actor),
  ];
  for (const call of await Promise.allSettled(late))
    expect(call).toMatchObject({ status: "rejected", reason: refused });
  expect((await ask("task", [COLD])).items).toHaveLength(3);
});
