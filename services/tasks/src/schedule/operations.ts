import { z } from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import type { TasksEnv } from "../env.ts";
import { FEATURE, requireLinks } from "../links/require.ts";
import { operation } from "../operation.ts";
import {
  changeSchedule,
  insertSchedule,
  matchingFilters,
  removeSchedule,
  requireSchedule,
  selectSchedules,
} from "./queries.ts";
import { ChangedSchedule, NewSchedule, Schedule } from "./schema.ts";

export const createSchedule = operation("/task/schedule/create", {
  summary: "Plans tasks for days to come; each is made as its day begins",
  right: "task_update",
  feature: FEATURE,
  input: z.object({ schedule: NewSchedule }),
  output: z.object({ id: z.int() }),
  errors: [201, 204, 208, 236],
  async run({ schedule }, call) {
    await requireUsable(schedule, call);
    return { id: await insertSchedule(call.db, call.principal, schedule, call.actor) };
  },
});

export const updateSchedule = operation("/task/schedule/update", {
  summary: "Replaces a schedule by the one given; the tasks that it has made stay",
  right: "task_update",
  feature: FEATURE,
  input: z.object({ schedule: ChangedSchedule }),
  output: z.object({}),
  errors: [201, 204, 208, 236],
  async run({ schedule }, call) {
    await requireUsable(schedule, call);
    await changeSchedule(call.db, call.principal, schedule, call.actor);
    return {};
  },
});

export const deleteSchedule = operation("/task/schedule/delete", {
  summary: "Deletes a schedule; the tasks that it has made stay",
  right: "task_update",
  input: z.object({ schedule_id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ schedule_id }, { db, principal, actor }) {
    await removeSchedule(db, principal, schedule_id, actor);
    return {};
  },
});

export const readSchedule = operation("/task/schedule/read", {
  summary: "A schedule",
  reads: true,
  input: z.object({ id: z.int() }),
  output: z.object({ value: Schedule }),
  errors: [201],
  async run({ id }, { db, principal }) {
    return { value: await requireSchedule(db, principal, id) };
  },
});

export const listSchedules = operation("/task/schedule/list", {
  summary: "The schedules that the caller sees; those of no tracker are among those of whichever trackers",
  reads: true,
  input: z.object({
    trackers: z.array(z.int()).max(10_000).nullable().default(null),
    filter: z.string().max(255).nullable().default(null),
    /** All must match. */
    tag_ids: z.array(z.int()).max(1000).nullable().default(null),
    types: z
      .array(z.enum(["task", "route"]))
      .max(100)
      .default(["task"]),
  }),
  output: z.object({ list: z.array(Schedule) }),
  errors: [],
  async run({ types, ...filters }, { db, principal }) {
    // Nobody can make one of a route yet.
    if (!types.includes("task")) return { list: [] };
    return listAnswer({}, await selectSchedules(db, principal, matchingFilters(principal, filters)));
  },
});

export const operations = [createSchedule, updateSchedule, deleteSchedule, readSchedule, listSchedules];

/** Its form template, tracker and tags. */
async function requireUsable(schedule: NewSchedule, { env, principal }: Call<TasksEnv>) {
  // Nobody can make a template yet, so whichever is named does not exist.
  if (schedule.form_template_id !== null) throw new ApiError(204);
  await requireLinks(env, principal, schedule, { thing: "schedule", missing: 201, blocked: 208 });
}
