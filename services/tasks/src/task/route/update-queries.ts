import { eq, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, write } from "#shared/database/steps.ts";
import { invalid } from "#shared/error/api-error.ts";
import { demandTemplates, replaceForms } from "../../form/issue-queries.ts";
import { recordChange } from "../../outbox/audit.ts";
import { insertStopRows } from "../../stop-queries.ts";
import { task } from "../../table/task/task.ts";
import { demandTags } from "../../tag-binding/queries.ts";
import { selectPayload } from "../audit-queries.ts";
import { isOfRoute, recomputeRoute, removeTasks } from "../checkpoint/order-queries.ts";
import {
  insertHistory,
  isNewToHistory,
  selectChangedMembers,
  selectChangesIn,
  selectCreationPayload,
} from "../history/record-queries.ts";
import { isOfType, routeColumns } from "../list-queries.ts";
import { demandCurrent } from "../queries.ts";
import { foldTexts, toColumns, unknownTemplateError } from "../schema.ts";
import { deleteBindings, insertBindings, toRouteBindings } from "./binding-queries.ts";
import { demandOpenRoute } from "./queries.ts";
import { type NewStop, type RouteMembers, templateOf, toRoute } from "./schema.ts";

type RouteChange = { id: number; revision: number; members: RouteMembers; stops: NewStop[] | null };

/**
 * Changes the route if its revision is the one that was read; every change of a checkpoint raises it. `stops` are in
 * order, missing ones are deleted; null leaves all checkpoints as they are.
 */
export async function changeRoute(
  db: Database,
  principal: Principal,
  { id: route_id, revision, members: { tags, ...members }, stops }: RouteChange,
  actor: Actor,
) {
  const route = isOfType(principal, "route", eq(task.id, route_id));
  const routeOrStops = isOfRoute(principal, sql`${route_id}`);
  const bindings = toRouteBindings({ tags }, stops ?? []);
  const templates = (stops ?? []).map(templateOf);
  const changed = selectChangedMembers({ ...members, tags: [...new Set(tags)] });
  const { existing, added, ids } = splitStops(stops ?? []);
  const isMissing = isStopOf(principal, route_id, sql`NOT ${among(task.id, ids)}`);
  const { rows } = await write(db, {
    ...demandOpenRoute(principal, route_id),
    isCurrent: demandCurrent(route, revision),
    areStops: demandStops(principal, route_id, ids),
    areTags: demandTags("route", bindings),
    hasTemplates: demandTemplates(principal, templates, unknownTemplateError),
    room: added.length > 0 ? demandQuota(principal, "tasks", task, added.length) : undefined,
    history: insertHistory(db, actor, "update", changed, route),
    changedStops: updateStops(db, principal, route_id, existing, actor),
    unbound: deleteBindings(db, stops ? routeOrStops : route),
    removedStops: stops ? removeTasks(db, principal, isMissing) : undefined,
    newStops: insertStops(db, route_id, added, actor.action_date),
    bound: insertBindings(db, principal.account_id, sql`${route_id}`, bindings),
    newHistory: insertHistory(
      db,
      actor,
      "create",
      selectCreationPayload(),
      isStopOf(principal, route_id, isNewToHistory),
    ),
    updated: db
      .update(task)
      .set({ ...members, ...foldTexts(members) })
      .where(route),
    recorded: recordChange(db, actor, {
      is: ["route", "update"],
      entry_id: route_id,
      payload: selectPayload(route),
    }),
    recomputed: recomputeRoute(db, principal, sql`${route_id}`),
    forms: replaceForms(db, principal, sql`${route_id}`, templates, actor.action_date),
    rows: db.select(routeColumns).from(task).where(route),
  });
  return toRoute(onlyRow(rows));
}

/** The rows of existing and of added checkpoints; `order` counts both. */
function splitStops(stops: NewStop[]) {
  const rows = stops.map(toRow);
  const existing = rows.filter(({ id }) => id !== null);
  const added = rows.filter(({ id }) => id === null);
  return { existing, added, ids: existing.flatMap(({ id }) => id ?? []) };
}

function toRow({ id, form_template_id, ...stop }: NewStop, order: number) {
  return { id, members: { ...stop, tags: [...new Set(stop.tags)], order }, columns: { ...toColumns(stop), order } };
}
type StopRow = ReturnType<typeof toRow>;

/** Demands that all ids are checkpoints of the route. */
function demandStops(principal: Principal, route_id: number, ids: number[]) {
  const found = sql`(SELECT count(*) FROM ${task} WHERE ${isStopOf(principal, route_id, among(task.id, ids))})`;
  return demand(sql`${found} = ${ids.length}`, () => invalid("task.id", "is not a checkpoint of the route"));
}

function updateStops(db: Database, principal: Principal, route_id: number, existing: StopRow[], actor: Actor) {
  const [first] = existing;
  if (!first) return [];
  const changes = sql`json_each(${JSON.stringify(existing)}) AS change`;
  const changedStops = sql`${changes} CROSS JOIN ${task} ON ${task.id} = change.value ->> 'id'`;
  const changed = selectChangesIn(sql`(change.value -> 'members')`, Object.keys(first.members));
  const assignments = Object.keys(first.columns).map((name) =>
    sql.raw(`"${name}" = change.value -> 'columns' ->> '${name}'`),
  );
  return [
    insertHistory(db, actor, "update", changed, isStopOf(principal, route_id), changedStops),
    db.run(
      sql`UPDATE ${task} SET revision = revision + 1, ${sql.join(assignments, sql`, `)} FROM ${changes}
        WHERE ${isStopOf(principal, route_id)} AND ${task.id} = change.value ->> 'id'`,
    ),
  ];
}

/** Adds checkpoints with the tracker and status of the route. */
function insertStops(db: Database, route_id: number, added: StopRow[], now: number) {
  const own: Record<string, SQL> = {
    id: sql`NULL`,
    account_id: sql`route.account_id`,
    tracker_id: sql`route.tracker_id`,
    type: sql`'checkpoint'`,
    parent_id: sql`route.id`,
    status: sql`route.status`,
    status_change_date: sql`${now}`,
    creation_date: sql`${now}`,
    stay_duration: sql`0`,
    origin: sql`'manual'`,
    revision: sql`0`,
  };
  return insertStopRows(db, task, sql`${route_id}`, own, added);
}

function isStopOf(principal: Principal, route_id: number, condition?: SQL) {
  return visibleTo(principal, task, eq(task.parent_id, route_id), condition);
}
