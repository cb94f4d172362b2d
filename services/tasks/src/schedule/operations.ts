import * as z from "zod";
import { retryOutdated } from "#shared/database/steps.ts";
import { completeFrom } from "#shared/operation/partial.ts";
import { requireChangedLinks, requireLinks, TASK_FEATURE } from "../links/work.ts";
import { operation } from "../operation.ts";
import { changeSchedule, insertSchedule, removeSchedule, requireForUpdate } from "./queries.ts";
import { ChangedSchedule, NewSchedule, toMembers } from "./schema.ts";

const LINKS = { parameter: "schedule", missing: 201, blocked: 208 } as const;

export const createSchedule = operation("/task/schedule/create", {
  summary: "Plans tasks for days to come; each is made as its day begins",
  right: "task_update",
  feature: TASK_FEATURE,
  input: z.object({ schedule: NewSchedule }),
  output: z.object({ id: z.int() }),
  errors: [201, 204, 208, 236, 268],
  async run({ schedule }, { db, env, principal, actor }) {
    await requireLinks(env, principal, schedule, LINKS);
    return { id: await insertSchedule(db, principal, schedule, actor) };
  },
});

export const updateSchedule = operation("/task/schedule/update", {
  summary: "Changes a schedule; what is left out stays. Tasks that it has made do not change",
  right: "task_update",
  feature: TASK_FEATURE,
  input: z.object({ schedule: ChangedSchedule }),
  output: z.object({}),
  errors: [201, 204, 208, 236],
  async run({ schedule: { id, paused, location, ...changes } }, { db, env, principal, actor }) {
    await retryOutdated(async () => {
      const row = await requireChangedLinks(env, principal, changes, LINKS, requireForUpdate(db, principal, id));
      const current = toMembers(row);
      const members = { ...completeFrom(current, changes), location: completeFrom(current.location, location) };
      const isResumed = paused === false || (members.tracker_id !== null && row.tracker_id === null);
      const change = { row, members, tags: changes.tags, paused: row.paused && !isResumed };
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

export const operations = [createSchedule, updateSchedule, deleteSchedule];
