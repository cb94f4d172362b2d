import { z } from "zod";
import { retryOutdated } from "#shared/database/steps.ts";
import { completeFrom } from "#shared/operation/partial.ts";
import { FEATURE, requireLinks, requireNewLinks } from "../../links/require.ts";
import { operation } from "../../operation.ts";
import { removeCheckpoint, turnIntoTask } from "./checkpoint-queries.ts";
import { changeRouteSchedule, insertRouteSchedule, removeRouteSchedule, requireWithStops } from "./queries.ts";
import {
  ChangedRouteSchedule,
  ChangedStopSchedule,
  completedStops,
  currentStops,
  NewRouteSchedule,
  NewStopSchedule,
  requireInOrder,
  routeMembersOf,
  stopsOf,
  tagsOfAll,
} from "./schema.ts";

const LINKS = { thing: "route", missing: 201, blocked: 208 } as const;

export const createRouteSchedule = operation("/task/schedule/route/create", {
  summary: "Plans routes for days to come; each is made with its checkpoints as its day begins",
  right: "task_update",
  feature: FEATURE,
  input: z.object({
    route: NewRouteSchedule,
    /** In order, at least two. */
    checkpoints: stopsOf(NewStopSchedule),
  }),
  output: z.object({ id: z.int() }),
  errors: [201, 204, 208, 236, 268],
  async run({ route, checkpoints }, { db, env, principal, actor }) {
    requireInOrder(checkpoints);
    const { tracker_id } = route;
    await requireLinks(env, principal, { tracker_id, tags: tagsOfAll(route, checkpoints) }, LINKS);
    const stops = checkpoints.map((stop) => ({ ...stop, id: null }));
    return { id: await insertRouteSchedule(db, principal, route, stops, actor) };
  },
});

export const updateRouteSchedule = operation("/task/schedule/route/update", {
  summary:
    "Changes the schedule of a route and its checkpoints; what is left out stays. Routes that it has made do not change",
  right: "task_update",
  feature: FEATURE,
  input: z.object({
    route: ChangedRouteSchedule,
    /** In order: those with an id are changed, those without are made, those missing are deleted; null leaves them all. */
    checkpoints: stopsOf(ChangedStopSchedule).nullable().default(null),
  }),
  output: z.object({}),
  errors: [201, 204, 208, 236, 268],
  async run({ route: { id, paused, ...given }, checkpoints }, { db, env, principal, actor }) {
    const links = { tracker_id: given.tracker_id, tags: tagsOfAll(given, checkpoints ?? []) };
    await retryOutdated(async () => {
      const reading = requireWithStops(db, principal, id);
      const current = await requireNewLinks(env, principal, links, LINKS, reading);
      const members = completeFrom(routeMembersOf(current.row), given);
      const known = currentStops(current.stops);
      const stops = checkpoints ? completedStops(checkpoints, known) : known;
      requireInOrder(stops);
      const goesOn = paused === false || (members.tracker_id !== null && current.tracker_id === null);
      const change = { row: current.row, members, stops, paused: current.row.paused && !goesOn };
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
    await turnIntoTask(db, principal, checkpoint_id, actor);
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
