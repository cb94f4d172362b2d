import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { demand, write } from "#shared/database/steps.ts";
import { invalid } from "#shared/error/api-error.ts";
import { demandTemplates, replaceForms } from "../../form/issue-queries.ts";
import { demandTracker } from "../../links/tracker-queries.ts";
import { recordChange } from "../../outbox/audit.ts";
import { task } from "../../table/task/task.ts";
import { demandTags } from "../../tag-binding/queries.ts";
import { isOfRoute } from "../checkpoint/order-queries.ts";
import {
  insertHistory,
  isNewToHistory,
  selectChangedMembers,
  selectCreationPayload,
} from "../history/record-queries.ts";
import { isOfType, routeColumns } from "../list-queries.ts";
import {
  countExternalIds,
  hasTask,
  insertAssignmentHistory,
  isOpen,
  newestId,
  toAssignmentColumns,
  toExternalIdCounts,
} from "../queries.ts";
import { foldTexts, toColumns, toInitialColumns, unknownTemplateError } from "../schema.ts";
import { deleteBindings, insertBindings, toRouteBindings } from "./binding-queries.ts";
import { type NewRoute, type NewStop, templateOf, toRoute } from "./schema.ts";

/** Stores a route with its checkpoints; at most one of them is an existing task that becomes a checkpoint. */
export async function insertRoute(
  db: Database,
  principal: Principal,
  { tags, ...members }: NewRoute,
  stops: NewStop[],
  actor: Actor,
) {
  const { account_id } = principal;
  const { tracker_id, label } = members;
  const initial = { ...toInitialColumns(tracker_id, actor.action_date), account_id, origin: "manual" as const };
  const added = stops.flatMap((stop, order) =>
    stop.id === null ? [{ ...toColumns(stop), ...initial, type: "checkpoint", order }] : [],
  );
  const bindings = toRouteBindings({ tags }, stops);
  // The newest task is a checkpoint of this route: at most one of them existed before.
  const route = sql`(SELECT newest.parent_id FROM ${task} AS newest WHERE newest.id = ${newestId} AND newest.account_id = ${account_id})`;
  const { rows, counts } = await write(db, {
    isTask: demandTask(principal, stops),
    hasTracker: demandTracker(tracker_id, 201),
    areTags: demandTags("task", bindings),
    hasTemplates: demandTemplates(principal, stops.map(templateOf), unknownTemplateError),
    quota: demandQuota(principal, "tasks", task, 1 + added.length),
    inserted: db.insert(task).values({ ...members, ...foldTexts(members), ...initial, ...toRouteColumns(stops) }),
    recorded: recordChange(db, actor, {
      is: ["route", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label, tracker_id, checkpoints: stops.length },
    }),
    stops: insertStops(db, added),
    joined: joinRoute(db, principal, route, { stops, tracker_id }, actor),
    bound: insertBindings(db, account_id, route, bindings),
    history: insertHistory(
      db,
      actor,
      "create",
      selectCreationPayload(),
      and(isOfRoute(principal, route), isNewToHistory),
    ),
    forms: replaceForms(db, principal, route, stops.map(templateOf), actor.action_date),
    rows: db
      .select(routeColumns)
      .from(task)
      .where(and(eq(task.account_id, account_id), sql`${task.id} = ${route}`)),
    counts: countExternalIds(db, principal, [members.external_id, ...stops.map(({ external_id }) => external_id)]),
  });
  return { result: toRoute(onlyRow(rows)), external_id_counts: toExternalIdCounts(counts) };
}

/** The columns that a route takes from its checkpoints, and those that only checkpoints have. */
function toRouteColumns(stops: NewStop[]) {
  const [first, last] = [onlyRow(stops), onlyRow(stops.slice(-1))];
  return {
    ...{ type: "route" as const, from: first.from, to: last.to },
    ...{ max_delay: 0, min_stay_duration: 0, min_arrival_duration: 0 },
  };
}

/** Demands that the checkpoint with an id is a task that may still be changed. */
function demandTask(principal: Principal, stops: NewStop[]) {
  const ids = stops.flatMap(({ id }) => id ?? []);
  const conditions = ids.map((id) => hasTask(and(isTask(principal, id), isOpen)));
  return demand(and(...conditions), () => invalid("task.id", "is not a task that can become a checkpoint"));
}

/** Adds the new checkpoints. Runs right after the insert of the route, which is then the newest task. */
function insertStops(db: Database, added: object[]) {
  const values = Object.keys(getTableColumns(task)).map((name) => {
    if (name === "parent_id") return newestId;
    if (name === "revision") return sql`0`;
    return name === "id" ? sql`NULL` : sql.raw(`stop.value ->> '${name}'`);
  });
  return db
    .insert(task)
    .select(
      sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${JSON.stringify(added)}) AS stop ORDER BY stop.key`,
    );
}

type JoinOptions = { stops: NewStop[]; tracker_id: number | null };

/** Turns an existing task into a checkpoint with the tracker of the route. */
function joinRoute(db: Database, principal: Principal, route: SQL, { stops, tracker_id }: JoinOptions, actor: Actor) {
  return stops.flatMap(({ id, form_template_id, ...members }, order) => {
    if (id === null) return [];
    const own = isTask(principal, id);
    const membership = sql`json_object('type', 'checkpoint', 'parent_id', ${route}, 'order', ${order})`;
    const columns = { ...toColumns(members), ...toAssignmentColumns(tracker_id, actor.action_date) };
    return [
      insertHistory(db, actor, "update", sql`json_patch(${selectChangedMembers(members)}, ${membership})`, own),
      ...insertAssignmentHistory(db, actor, tracker_id, own),
      deleteBindings(db, own),
      db
        .update(task)
        .set({ ...columns, type: "checkpoint", parent_id: route, order })
        .where(own),
    ];
  });
}

function isTask(principal: Principal, id: number) {
  return isOfType(principal, "task", eq(task.id, id));
}
