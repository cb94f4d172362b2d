import { asc, count, eq, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { type ListWindow, pageAt } from "#shared/operation/list-answer.ts";
import { demandTracker } from "../../links/tracker-queries.ts";
import { recordChange, recordEachChange } from "../../outbox/audit.ts";
import { outerTask, task } from "../../table/task/task.ts";
import { selectEntries } from "../audit-queries.ts";
import {
  hasBegun,
  isBelowMaxCheckpoints,
  isOfRoute,
  orderBefore,
  recomputeRoute,
  removeTasks,
} from "../checkpoint/order-queries.ts";
import { MAX_CHECKPOINTS } from "../checkpoint/schema.ts";
import { insertHistory } from "../history/record-queries.ts";
import { isOfType, MAX_ROWS_PER_PAGE, routeColumns, taskColumns } from "../list-queries.ts";
import {
  demandOpen,
  demandVisible,
  hasTask,
  insertAssignmentHistory,
  insertMoveHistory,
  isOpen,
  selectStatusDate,
  toAssignmentColumns,
} from "../queries.ts";
import { toRoute } from "./schema.ts";

/** Assigns the route and all of its checkpoints to the tracker; null unassigns them. */
export async function storeRouteAssignment(
  db: Database,
  principal: Principal,
  route_id: number,
  tracker_id: number | null,
  actor: Actor,
) {
  const withStops = isOfRoute(principal, sql`${route_id}`);
  await write(db, {
    ...demandOpenRoute(principal, route_id),
    hasTracker: demandTracker(tracker_id, 204),
    history: insertAssignmentHistory(db, actor, tracker_id, withStops),
    assigned: db.update(task).set(toAssignmentColumns(tracker_id, actor.action_date)).where(withStops),
    recorded: recordChange(db, actor, { is: ["route", "assign"], entry_id: route_id, payload: { tracker_id } }),
  });
}

/** Deletes the route with its checkpoints. */
export async function removeRoute(db: Database, principal: Principal, route_id: number, actor: Actor) {
  const route = isRoute(principal, route_id);
  await write(db, {
    isThere: demandVisible(route),
    recorded: recordEachChange(db, actor, { is: ["route", "delete"] }, selectEntries(route)),
    removed: removeTasks(db, principal, isOfRoute(principal, sql`${route_id}`)),
  });
}

type Transmutation = { task_id: number; route_id: number; order: number };

/** Turns a task into a checkpoint of the route, with the route's tracker. */
export async function convertToCheckpoint(
  db: Database,
  principal: Principal,
  { task_id, route_id, order }: Transmutation,
  actor: Actor,
) {
  const own = isOfType(principal, "task", eq(task.id, task_id));
  const { isThere: isTask, isOpen: isOpenTask } = demandOpen(own);
  const selectOfRoute = (column: string) =>
    sql`(SELECT ${sql.raw(column)} FROM ${task} AS route WHERE route.id = ${route_id})`;
  const inherited = { tracker_id: selectOfRoute("route.tracker_id"), status: selectOfRoute("route.status") };
  const membership = sql`json_object('type', 'checkpoint', 'parent_id', ${route_id}, 'order', ${order})`;
  await write(db, {
    isTask,
    isOpenTask,
    ...demandOpenRoute(principal, route_id),
    hasRoom: demandCheckpointQuota(principal, route_id),
    history: insertHistory(db, actor, "update", membership, own),
    moveHistory: insertMoveHistory(db, actor, inherited, own),
    updated: db
      .update(task)
      .set({
        ...inherited,
        status_change_date: selectStatusDate(inherited.status, actor.action_date),
        type: "checkpoint",
        parent_id: route_id,
        order: orderBefore(order),
      })
      .where(own),
    recorded: recordChange(db, actor, { is: ["task", "transmute"], entry_id: task_id, payload: { route_id } }),
    recomputed: recomputeRoute(db, principal, sql`${route_id}`),
  });
}

export async function requireRoute(db: Database, principal: Principal, route_id: number) {
  const [row] = await db.select(routeColumns).from(task).where(isRoute(principal, route_id));
  if (!row) throw new ApiError(201);
  return toRoute(row);
}

/** The route and its checkpoints, for changing them. `tags` holds the tags of all of them. */
export async function requireWithStops(db: Database, principal: Principal, route_id: number) {
  const { routes, stops } = await read(db, {
    routes: db
      .select({ ...taskColumns, revision: task.revision })
      .from(task)
      .where(isRoute(principal, route_id)),
    stops: db
      .select(taskColumns)
      .from(task)
      .where(isOfType(principal, "checkpoint", eq(task.parent_id, route_id))),
  });
  const [route] = routes;
  if (!route) throw new ApiError(201);
  const { label, description, external_id, tracker_id, revision } = route;
  const tags = [route, ...stops].flatMap((row) => row.tags);
  return { revision, tracker_id, tags, stops, members: { label, description, external_id, tags: route.tags } };
}

/** Routes by id: the first page with the count of all, then page after page. */
export async function selectRoutes(db: Database, principal: Principal, condition: SQL | undefined) {
  const visible = isOfType(principal, "route", condition);
  const readAt = ({ offset }: ListWindow) =>
    db.select(routeColumns).from(task).where(visible).orderBy(asc(task.id)).limit(MAX_ROWS_PER_PAGE).offset(offset);
  const { rows, counted } = await read(db, {
    rows: readAt({ offset: 0 }),
    counted: db.select({ count: count() }).from(task).where(visible),
  });
  const source = { size: MAX_ROWS_PER_PAGE, read: async (window: ListWindow) => readAt(window), toItem: toRoute };
  return { count: onlyRow(counted).count, page: pageAt(rows, { offset: 0 }, source) };
}

/** Demands that the route is visible and that neither it nor any of its checkpoints has begun. */
export function demandOpenRoute(principal: Principal, route_id: number) {
  return demandOpen(isRoute(principal, route_id), sql`${isOpen} AND NOT ${hasBegun(outerTask.id)}`);
}

function demandCheckpointQuota(principal: Principal, route_id: number) {
  return demand(hasTask(sql`${isRoute(principal, route_id)} AND ${isBelowMaxCheckpoints}`), () =>
    invalid("route_id", `is a route with ${MAX_CHECKPOINTS} checkpoints`),
  );
}

function isRoute(principal: Principal, route_id: number) {
  return isOfType(principal, "route", eq(task.id, route_id));
}
