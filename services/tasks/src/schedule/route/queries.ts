import { and, asc, eq, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { isThere, onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, outdatedError, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { demandTemplates } from "../../form/issue-queries.ts";
import { demandTracker } from "../../links/tracker-queries.ts";
import { recordChange } from "../../outbox/audit.ts";
import { insertStopRows } from "../../stop-queries.ts";
import { taskSchedule } from "../../table/schedule/task-schedule.ts";
import { tagBinding } from "../../table/tag/tag-binding.ts";
import { demandTags } from "../../tag-binding/queries.ts";
import { toRouteBindings } from "../../task/route/binding-queries.ts";
import { PRIVATE_COLUMNS, resolveNextRun, scheduleColumns, unknownTemplateError } from "../queries.ts";
import { markOutdatedZone } from "../zone-queries.ts";
import { type NewRouteSchedule, type PlannedStop, type StopRow, toRows } from "./schema.ts";

/** Stores the schedule of a route with those of its checkpoints. */
export async function insertRouteSchedule(
  db: Database,
  principal: Principal,
  route: NewRouteSchedule,
  stops: PlannedStop[],
  actor: Actor,
) {
  const { account_id } = principal;
  const rows = toRows(route, stops, principal, actor.action_date);
  const bindings = toRouteBindings(route, stops);
  const newest = sql`(SELECT max(id) FROM ${taskSchedule})`;
  // The newest row of the transaction is the last checkpoint.
  const route_id = sql`(SELECT last.parent_id FROM ${taskSchedule} AS last WHERE last.id = ${newest})`;
  const { inserted } = await write(db, {
    ...demandLinks(principal, route.tracker_id, stops),
    areTags: demandTags("route", bindings),
    quota: demandQuota(principal, "schedules", taskSchedule, 1 + stops.length),
    inserted: db
      .insert(taskSchedule)
      .values({ ...rows.route, account_id })
      .returning({ id: taskSchedule.id }),
    recorded: recordChange(db, actor, {
      is: ["task_schedule", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: summaryOf(route, stops),
    }),
    stops: insertStops(db, newest, rows.stops),
    bound: insertBindings(db, account_id, route_id, bindings),
    checked: markOutdatedZone(db, principal),
  });
  return onlyRow(inserted).id;
}

/** The schedule of a route with its internal columns, and those of its checkpoints, for changing them. */
export async function requireWithStops(db: Database, principal: Principal, id: number) {
  const { routes, stops } = await read(db, {
    routes: db
      .select({ ...scheduleColumns, ...PRIVATE_COLUMNS })
      .from(taskSchedule)
      .where(isRoute(principal, id)),
    stops: db
      .select(scheduleColumns)
      .from(taskSchedule)
      .where(isStopOf(principal, id))
      .orderBy(asc(taskSchedule.order)),
  });
  const [row] = routes;
  if (!row) throw new ApiError(204);
  return { row, stops, tracker_id: row.tracker_id, tags: [row, ...stops].flatMap(({ tags }) => tags) };
}

type RouteScheduleChange = {
  row: Awaited<ReturnType<typeof requireWithStops>>["row"];
  members: NewRouteSchedule;
  stops: PlannedStop[];
  paused: boolean;
};

/**
 * Changes the schedules if the route's revision is the one that was read; every change of a checkpoint raises it.
 * Checkpoints that are not in `stops` are deleted.
 */
export async function changeRouteSchedule(
  db: Database,
  principal: Principal,
  { row, members, stops, paused }: RouteScheduleChange,
  actor: Actor,
) {
  const { id, revision, tracker_id } = row;
  const own = isRoute(principal, id);
  const rows = toRows(members, stops, principal, actor.action_date);
  const run = resolveNextRun(row, { ...rows.route, paused });
  const planned = rows.stops.map((stop) => ({ ...stop, columns: { ...stop.columns, ...run, paused } }));
  const existing = planned.filter((stop) => stop.id !== null);
  const added = planned.filter((stop) => stop.id === null);
  const isMissing = sql`NOT ${among(
    taskSchedule.id,
    existing.flatMap((stop) => stop.id ?? []),
  )}`;
  const bindings = toRouteBindings(members, stops);
  await write(db, {
    isCurrent: demand(isThere(taskSchedule, and(own, eq(taskSchedule.revision, revision))), outdatedError),
    ...demandLinks(principal, members.tracker_id === tracker_id ? null : members.tracker_id, stops),
    areTags: demandTags("route", bindings),
    room: added.length > 0 ? demandQuota(principal, "schedules", taskSchedule, added.length) : undefined,
    unbound: deleteBindings(db, isOfRoute(principal, id)),
    removed: db.delete(taskSchedule).where(isStopOf(principal, id, isMissing)),
    changed: updateStops(db, principal, id, existing),
    inserted: insertStops(db, sql`${id}`, added),
    bound: insertBindings(db, principal.account_id, sql`${id}`, bindings),
    updated: db
      .update(taskSchedule)
      .set({ ...rows.route, ...run, paused })
      .where(own),
    recorded: recordChange(db, actor, {
      is: ["task_schedule", "update"],
      entry_id: id,
      payload: summaryOf(members, stops),
    }),
    checked: markOutdatedZone(db, principal),
  });
}

/** Deletes the schedule of a route with those of its checkpoints. */
export async function removeRouteSchedule(db: Database, principal: Principal, id: number, actor: Actor) {
  await write(db, {
    isThere: demand(isThere(taskSchedule, isRoute(principal, id)), () => new ApiError(201)),
    unbound: deleteBindings(db, isOfRoute(principal, id)),
    removed: db.delete(taskSchedule).where(isOfRoute(principal, id)),
    recorded: recordChange(db, actor, { is: ["task_schedule", "delete"], entry_id: id }),
  });
}

function demandLinks(principal: Principal, tracker_id: number | null, stops: PlannedStop[]) {
  const templates = stops.map(({ form_template_id }) => form_template_id);
  return {
    hasTracker: demandTracker(tracker_id, 201),
    hasTemplates: demandTemplates(principal, templates, unknownTemplateError),
  };
}

/** Adds schedules of checkpoints; `route` is an id or a query for it. */
function insertStops(db: Database, route: SQL, added: StopRow[]) {
  const own: Record<string, SQL> = {
    id: sql`NULL`,
    account_id: sql`route.account_id`,
    parent_id: sql`route.id`,
    paused: sql`route.paused`,
    revision: sql`0`,
  };
  return insertStopRows(db, taskSchedule, route, own, added);
}

function updateStops(db: Database, principal: Principal, id: number, existing: StopRow[]) {
  const [first] = existing;
  if (!first) return [];
  const assignments = Object.keys(first.columns).map((name) =>
    sql.raw(`"${name}" = change.value -> 'columns' ->> '${name}'`),
  );
  return [
    db.run(
      sql`UPDATE ${taskSchedule} SET revision = revision + 1, ${sql.join(assignments, sql`, `)}
        FROM json_each(${JSON.stringify(existing)}) AS change
        WHERE ${isStopOf(principal, id)} AND ${taskSchedule.id} = change.value ->> 'id'`,
    ),
  ];
}

/** Runs after the statements that store the schedules and put them in order. */
function insertBindings(db: Database, account_id: number, route: SQL, bindings: ReturnType<typeof toRouteBindings>) {
  const stop = sql`(SELECT stop.id FROM ${taskSchedule} AS stop WHERE stop.account_id = ${account_id}
    AND stop.parent_id = ${route} AND stop."order" = binding.value ->> 'order')`;
  // CROSS JOIN makes SQLite look up the schedule of each tag; otherwise it searches all tags for each schedule.
  return db.insert(tagBinding).select(
    sql`SELECT 'task_schedule', ${taskSchedule.id}, binding.value ->> 'ordinal', binding.value ->> 'tag_id',
        ${taskSchedule.account_id} FROM json_each(${JSON.stringify(bindings)}) AS binding
      CROSS JOIN ${taskSchedule} ON ${taskSchedule.id} = iif(binding.value ->> 'order' = -1, ${route}, ${stop})
      WHERE ${taskSchedule.account_id} = ${account_id}`,
  );
}

/** Removes the tags of the schedules that match the condition. */
export function deleteBindings(db: Database, condition: SQL | undefined) {
  const ids = sql`(SELECT ${taskSchedule.id} FROM ${taskSchedule} WHERE ${condition})`;
  return db
    .delete(tagBinding)
    .where(and(eq(tagBinding.entity_type, "task_schedule"), sql`${tagBinding.entity_id} IN ${ids}`));
}

function isRoute(principal: Principal, id: number) {
  return visibleTo(principal, taskSchedule, eq(taskSchedule.type, "route"), eq(taskSchedule.id, id));
}

function isStopOf(principal: Principal, id: number, condition?: SQL) {
  return visibleTo(principal, taskSchedule, eq(taskSchedule.parent_id, id), condition);
}

function isOfRoute(principal: Principal, id: number) {
  return or(isRoute(principal, id), isStopOf(principal, id));
}

/** The payload of an audit entry. */
function summaryOf({ label, tracker_id }: NewRouteSchedule, stops: PlannedStop[]) {
  return { label, tracker_id, checkpoints: stops.length };
}
