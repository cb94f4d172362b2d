import * as z from "zod";
import { retryOutdated } from "#shared/database/steps.ts";
import { completeFrom } from "#shared/operation/partial.ts";
import { requireChangedLinks, requireLinks, TASK_FEATURE } from "../../links/work.ts";
import { operation } from "../../operation.ts";
import { convertToTask, removeCheckpoint } from "./checkpoint-queries.ts";
import { changeRouteSchedule, insertRouteSchedule, removeRouteSchedule, requireWithStops } from "./queries.ts";
import {
  ChangedRouteSchedule,
  ChangedStopSchedule,
  collectTags,
  completeStops,
  NewRouteSchedule,
  NewStopSchedule,
  requireStopOrder,
  stopList,
  toPlannedStops,
  toRouteMembers,
} from "./schema.ts";

const LINKS = { parameter: "route", missing: 201, blocked: 208 } as const;

export const createRouteSchedule = operation("/task/schedule/route/create", {
  summary: "Plans routes for days to come; each is made with its checkpoints as its day begins",
  right: "task_update",
  feature: TASK_FEATURE,
  input: z.object({
    route: NewRouteSchedule,
    /** At least two, in their order. */
    checkpoints: stopList(NewStopSchedule),
  }),
  output: z.object({ id: z.int() }),
  errors: [201, 204, 208, 236, 268],
  async run({ route, checkpoints }, { db, env, principal, actor }) {
    requireStopOrder(checkpoints);
    const { tracker_id } = route;
    await requireLinks(env, principal, { tracker_id, tags: collectTags(route, checkpoints) }, LINKS);
    const stops = checkpoints.map((stop) => ({ ...stop, id: null }));
    return { id: await insertRouteSchedule(db, principal, route, stops, actor) };
  },
});

export const updateRouteSchedule = operation("/task/schedule/route/update", {
  summary:
    "Changes the schedule of a route and its checkpoints; what is left out stays. Routes that it has made do not change",
  right: "task_update",
  feature: TASK_FEATURE,
  input: z.object({
    route: ChangedRouteSchedule,
    /**
     * In their order: with an id they are changed, without one they are added, missing ones are deleted. Null leaves
     * them all.
     */
    checkpoints: stopList(ChangedStopSchedule).nullable().default(null),
  }),
  output: z.object({}),
  errors: [201, 204, 208, 236, 268],
  async run({ route: { id, paused, ...changes }, checkpoints }, { db, env, principal, actor }) {
    const links = { tracker_id: changes.tracker_id, tags: collectTags(changes, checkpoints ?? []) };
    await retryOutdated(async () => {
      const loading = requireWithStops(db, principal, id);
      const current = await requireChangedLinks(env, principal, links, LINKS, loading);
      const members = completeFrom(toRouteMembers(current.row), changes);
      const known = toPlannedStops(current.stops);
      const stops = checkpoints ? completeStops(checkpoints, known) : known;
      requireStopOrder(stops);
      const isResumed = paused === false || (members.tracker_id !== null && current.tracker_id === null);
      const change = { row: current.row, members, stops, paused: current.row.paused && !isResumed };
      await changeRouteSchedule(db, principal, change, actor);
    });
    return {};
  },
});

export const deleteRouteSchedule = operation("/task/schedule/route/delete", {
  summary: "Deletes the schedule of a route with its checkpoints; the routes that it has made stay",
  right: "task_update",
  input: z.object({ id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ id }, { db, principal, actor }) {
    await removeRouteSchedule(db, principal, id, actor);
    return {};
  },
});

export const deleteScheduleCheckpoint = operation("/task/schedule/checkpoint/delete", {
  summary: "Deletes a checkpoint from the schedule of a route, which keeps at least two; later checkpoints move by one",
  right: "task_update",
  input: z.object({ checkpoint_id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ checkpoint_id }, { db, principal, actor }) {
    await removeCheckpoint(db, principal, checkpoint_id, actor);
    return {};
  },
});

export const transmuteScheduleCheckpoint = operation("/task/schedule/checkpoint/transmute", {
  summary:
    "Turns a checkpoint into the schedule of a task, on the days of its route; deletes the route's schedule and other checkpoints",
  right: "task_update",
  input: z.object({ checkpoint_id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ checkpoint_id }, { db, principal, actor }) {
    await convertToTask(db, principal, checkpoint_id, actor);
    return {};
  },
});

export const operations = [
  createRouteSchedule,
  updateRouteSchedule,
  deleteRouteSchedule,
  deleteScheduleCheckpoint,
  transmuteScheduleCheckpoint,
];
