import { z } from "zod";
import { onCurrent } from "#shared/database/steps.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { completed } from "#shared/operation/partial.ts";
import { FEATURE, requireLinks, requireNewLinks } from "../links/require.ts";
import { operation } from "../operation.ts";
import {
  changeSchedule,
  insertSchedule,
  matchingFilters,
  removeSchedule,
  requireCurrent,
  requireSchedule,
  selectSchedules,
} from "./queries.ts";
import { ChangedSchedule, membersOf, NewSchedule, Schedule } from "./schema.ts";

const LINKS = { thing: "schedule", missing: 201, blocked: 208 } as const;

export const createSchedule = operation("/task/schedule/create", {
  summary: "Plans tasks for days to come; each is made as its day begins",
  right: "task_update",
  feature: FEATURE,
  input: z.object({ schedule: NewSchedule }),
  output: z.object({ id: z.int() }),
  errors: [201, 204, 208, 236, 268],
  async run({ schedule }, { db, env, principal, actor }) {
    await requireLinks(env, principal, schedule, LINKS);
    return { id: await insertSchedule(db, principal, schedule, actor) };
  },
});

export const updateSchedule = operation("/task/schedule/update", {
  summary: "Changes a schedule: what is left out stays, and so do the tasks that it has made",
  right: "task_update",
  feature: FEATURE,
  input: z.object({ schedule: ChangedSchedule }),
  output: z.object({}),
  errors: [201, 204, 208, 236],
  async run({ schedule: { id, paused, location, ...given } }, { db, env, principal, actor }) {
    await onCurrent(async () => {
      const row = await requireNewLinks(env, principal, given, LINKS, requireCurrent(db, principal, id));
      const current = membersOf(row);
      const members = { ...completed(current, given), location: completed(current.location, location) };
      const goesOn = paused === false || (members.tracker_id !== null && row.tracker_id === null);
      const change = { row, members, tags: given.tags, paused: row.paused && !goesOn };
      await changeSchedule(db, principal, change, actor);
    });
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
