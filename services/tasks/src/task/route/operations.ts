import * as z from "zod";
import { retryOutdated } from "#shared/database/steps.ts";
import { invalid } from "#shared/error/api-error.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { listAnswer, serializePages } from "#shared/operation/list-answer.ts";
import { completeFrom } from "#shared/operation/partial.ts";
import { requireClosedSpan } from "#shared/time/span.ts";
import { requireChangedLinks, requireLinks, TASK_FEATURE } from "../../links/work.ts";
import { operation } from "../../operation.ts";
import { STATUSES } from "../../table/task/task.ts";
import { MAX_CHECKPOINTS, reportAsTask } from "../checkpoint/schema.ts";
import { chooseTemplate, ExternalIdCounts } from "../schema.ts";
import { matchFilters } from "../search-queries.ts";
import { insertRoute } from "./insert-queries.ts";
import {
  convertToCheckpoint,
  removeRoute,
  requireRoute,
  requireWithStops,
  selectRoutes,
  storeRouteAssignment,
} from "./queries.ts";
import {
  ChangedRoute,
  ChangedStop,
  completeStops,
  NewRoute,
  NewStop,
  orderStops,
  Route,
  requireStopOrder,
  requireStops,
} from "./schema.ts";
import { changeRoute } from "./update-queries.ts";

export const createRoute = operation("/task/route/create", {
  summary: "Creates a route with its checkpoints in order; one of them may be an existing task",
  right: "task_update",
  feature: TASK_FEATURE,
  input: z.object({
    route: NewRoute,
    checkpoints: z.array(NewStop).min(2).max(MAX_CHECKPOINTS),
    create_form: z.boolean().default(false),
  }),
  reportedAs: reportAsTask,
  output: z.object({ result: Route, external_id_counts: ExternalIdCounts }),
  errors: [201, 236, 268],
  async run({ route, checkpoints, create_form }, { db, env, principal, clock, actor }) {
    requireStops(checkpoints, clock.now());
    requireStopOrder(checkpoints);
    const { tracker_id } = route;
    await requireLinks(
      env,
      principal,
      { tracker_id, tags: collectTags(route, checkpoints) },
      { parameter: "route", missing: 201 },
    );
    return insertRoute(db, principal, route, chooseTemplates(checkpoints, create_form), actor);
  },
});

export const updateRoute = operation("/task/route/update", {
  summary:
    "Changes a route that is unassigned or assigned, and its checkpoints; what is left out stays, and so does its tracker",
  right: "task_update",
  input: z.object({
    route: ChangedRoute,
    /** With an id they are changed, without one they are added, missing ones are deleted. Null leaves them all. */
    checkpoints: z.array(ChangedStop).min(1).max(MAX_CHECKPOINTS).nullable().default(null),
    create_form: z.boolean().default(false),
  }),
  reportedAs: reportAsTask,
  output: z.object({ result: Route }),
  errors: [201, 255, 268],
  async run({ route, checkpoints, create_form }, { db, env, principal, clock, actor }) {
    const { id, checkpoint_ids, ...changes } = route;
    if (checkpoint_ids && !checkpoints) throw invalid("checkpoints", "may be null with checkpoint_ids of null only");
    const tags = collectTags(changes, checkpoints ?? []);
    const result = await retryOutdated(async () => {
      const reading = requireWithStops(db, principal, id);
      const current = await requireChangedLinks(
        env,
        principal,
        { tags },
        { parameter: "route", missing: 201 },
        reading,
      );
      const stops = checkpoints && completeStops(checkpoints, current.stops);
      requireStops(stops ?? [], clock.now(), current.stops);
      const members = completeFrom(current.members, changes);
      const inOrder = stops && chooseTemplates(orderStops(stops, checkpoint_ids), create_form);
      return changeRoute(db, principal, { id, revision: current.revision, members, stops: inOrder }, actor);
    });
    return { result };
  },
});

export const assignRoute = operation("/task/route/assign", {
  summary: "Assigns a route with all of its checkpoints to a tracker; null unassigns it",
  right: "task_update",
  feature: TASK_FEATURE,
  input: z.object({ route_id: z.int(), tracker_id: z.int().nullable() }),
  output: z.object({}),
  errors: [201, 204, 208, 236, 255],
  async run({ route_id, tracker_id }, { db, env, principal, actor }) {
    await requireLinks(env, principal, { tracker_id, tags: [] }, { parameter: "route", missing: 204, blocked: 208 });
    await storeRouteAssignment(db, principal, route_id, tracker_id, actor);
    return {};
  },
});

export const deleteRoute = operation("/task/route/delete", {
  summary: "Deletes a route with its checkpoints",
  right: "task_update",
  input: z.object({ route_id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ route_id }, { db, principal, actor }) {
    await removeRoute(db, principal, route_id, actor);
    return {};
  },
});

export const readRoute = operation("/task/route/read", {
  summary: "A route with the ids of its checkpoints",
  reads: true,
  input: z.object({ route_id: z.int() }),
  output: z.object({ value: Route }),
  errors: [201],
  async run({ route_id }, { db, principal }) {
    return { value: await requireRoute(db, principal, route_id) };
  },
});

export const listRoutes = operation("/task/route/list", {
  summary: "The routes that the caller sees, filtered",
  reads: true,
  input: z.object({
    statuses: z.array(z.enum(STATUSES)).max(100).nullable().default(null),
    trackers: z.array(z.int()).max(10_000).nullable().default(null),
    from: dateTime().optional(),
    to: dateTime().optional(),
    filter: z.string().max(100).nullable().default(null),
  }),
  output: z.object({ list: z.array(Route), count: z.int() }),
  errors: [211],
  async run({ filter, ...filters }, { db, env, principal, clock }) {
    requireClosedSpan(filters, env.MAX_SPANS, "tasks", clock.zone);
    // Searches label and description: a route has no address.
    const words = filter ? [filter] : null;
    const condition = matchFilters(principal, { ...filters, filter: null, filters: words }, clock);
    const { count, page } = await selectRoutes(db, principal, condition);
    return listAnswer({ count }, serializePages(Route, page, clock));
  },
});

export const transmuteTask = operation("/task/transmute", {
  summary: "Turns a task into a checkpoint at a position of a route, with the route's tracker",
  right: "task_update",
  input: z.object({ task_id: z.int(), route_id: z.int(), order: z.int().min(0).max(1_000_000) }),
  output: z.object({}),
  errors: [201, 255],
  async run(transmutation, { db, principal, actor }) {
    await convertToCheckpoint(db, principal, transmutation, actor);
    return {};
  },
});

export const operations = [createRoute, updateRoute, assignRoute, deleteRoute, readRoute, listRoutes, transmuteTask];

/** Stops with the templates that apply: without `create_form`, forms stay as they are. */
function chooseTemplates(stops: NewStop[], create_form: boolean): NewStop[] {
  return stops.map((stop) => ({ ...stop, form_template_id: chooseTemplate(create_form, stop.form_template_id) }));
}

/** The tags of the route and of its checkpoints, each once. */
function collectTags(route: { tags?: number[] }, stops: { tags?: number[] }[]) {
  return [...new Set([route, ...stops].flatMap(({ tags }) => tags ?? []))];
}
