import { and, asc, count, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { only } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { type Part, pageAt } from "#shared/operation/list-answer.ts";
import { recording } from "../../outbox/audit.ts";
import { tagBinding } from "../../table/tag-binding.ts";
import { ofRow, task } from "../../table/task.ts";
import { taskHistory } from "../../table/task-history.ts";
import { hasBegun, inFrontOf, isOfRoute, MOST_CHECKPOINTS, settleRoute } from "../checkpoint/order.ts";
import { keepHistory } from "../history/record.ts";
import { assignment, isOpen, isTrue, keepAssignment, requireOpen } from "../queries.ts";
import { ofType, PAGE, shownRoute } from "../select.ts";
import { toRoute } from "./schema.ts";

const route = alias(task, "route");
const { account_id, id, status, tracker_id, type } = route;

/** All checkpoints follow. */
export async function giveRoute(
  db: Database,
  principal: Principal,
  route_id: number,
  wanted: number | null,
  actor: Actor,
) {
  const changed = and(isOfRoute(principal, sql`${route_id}`), isChangeable(principal, route_id));
  const [, , , , known] = await db.batch([
    ...keepAssignment(db, actor, wanted, changed),
    db.update(task).set(assignment(wanted, actor.action_date)).where(changed),
    recording(db, actor, { is: ["route", "assign"], entry_id: route_id, payload: { tracker_id: wanted } }),
    selectState(db, principal, route_id),
  ]);
  requireOpen(known);
}

/** With its checkpoints. */
export async function removeRoute(db: Database, principal: Principal, route_id: number, actor: Actor) {
  const isVisible = sql`EXISTS (SELECT 1 FROM ${task} AS route WHERE ${visibleRoute(principal, route_id)})`;
  const gone = and(isOfRoute(principal, sql`${route_id}`), isVisible);
  const ids = sql`(SELECT ${task.id} FROM ${task} WHERE ${gone})`;
  const [, , , deleted] = await db.batch([
    db
      .delete(taskHistory)
      .where(and(eq(taskHistory.account_id, principal.account_id), sql`${taskHistory.task_id} IN ${ids}`)),
    db.delete(tagBinding).where(and(eq(tagBinding.entity_type, "task"), sql`${tagBinding.entity_id} IN ${ids}`)),
    // The route last: it is what shows that the caller may.
    db.delete(task).where(and(gone, eq(task.type, "checkpoint"))),
    db
      .delete(task)
      .where(ofType(principal, "route", eq(task.id, route_id)))
      .returning({ id: task.id }),
    recording(db, actor, { is: ["route", "delete"], entry_id: route_id }),
  ]);
  if (deleted.length === 0) throw new ApiError(201);
}

type Wanted = { task_id: number; route_id: number; order: number };

/** A task becomes a checkpoint of the route, and gets its tracker. */
export async function turnIntoCheckpoint(db: Database, principal: Principal, wanted: Wanted, actor: Actor) {
  const { task_id, route_id, order } = wanted;
  const found = ofType(principal, "task", eq(task.id, task_id));
  const hasRoom = sql`(SELECT count(*) FROM ${task} AS stop WHERE stop.account_id = ${principal.account_id}
    AND stop.parent_id = ${route_id}) < ${MOST_CHECKPOINTS}`;
  const changeable = and(found, isOpen, isChangeable(principal, route_id), hasRoom);
  const ofItsRoute = (column: SQL) => sql`(SELECT ${column} FROM ${task} AS route WHERE ${id} = ${route_id})`;
  const [itsTracker, itsStatus] = [ofItsRoute(sql`${tracker_id}`), ofItsRoute(sql`${status}`)];
  const place = sql`json_object('type', 'checkpoint', 'parent_id', ${route_id}, 'order', ${order})`;
  const [, , , changed, , , , , , , known, state] = await db.batch([
    keepHistory(db, actor, "update", place, changeable),
    keepHistory(
      db,
      actor,
      "assign",
      sql`json_object('tracker_id', ${itsTracker})`,
      and(changeable, sql`${task.tracker_id} IS NOT ${itsTracker}`),
    ),
    keepHistory(
      db,
      actor,
      "status_change",
      sql`json_object('status', ${itsStatus})`,
      and(changeable, sql`${task.status} <> ${itsStatus}`),
    ),
    db
      .update(task)
      .set({
        type: "checkpoint",
        parent_id: route_id,
        order: inFrontOf(order),
        tracker_id: itsTracker,
        status: itsStatus,
        status_change_date: sql`iif(${task.status} = ${itsStatus}, ${task.status_change_date}, ${actor.action_date})`,
      })
      .where(changeable)
      .returning({ id: task.id }),
    recording(db, actor, { is: ["task", "transmute"], entry_id: task_id, payload: { route_id } }),
    ...settleRoute(db, principal, sql`${route_id}`),
    db
      .select({ isOpen: isTrue(isOpen) })
      .from(task)
      .where(found),
    selectState(db, principal, route_id),
  ]);
  if (changed.length > 0) return;
  requireOpen(known);
  requireOpen(state);
  throw invalid("route_id", `is a route with ${MOST_CHECKPOINTS} checkpoints`);
}

export async function requireRoute(db: Database, principal: Principal, route_id: number) {
  const [row] = await db
    .select(shownRoute)
    .from(task)
    .where(ofType(principal, "route", eq(task.id, route_id)));
  if (!row) throw new ApiError(201);
  return toRoute(row);
}

/** By id: the first page with the count of all, then page after page. */
export async function selectRoutes(db: Database, principal: Principal, condition: SQL | undefined) {
  const wanted = ofType(principal, "route", condition);
  const read = ({ offset }: Part) =>
    db.select(shownRoute).from(task).where(wanted).orderBy(asc(task.id)).limit(PAGE).offset(offset);
  const [rows, counted] = await db.batch([read({ offset: 0 }), db.select({ count: count() }).from(task).where(wanted)]);
  const reading = { size: PAGE, read: async (part: Part) => read(part), toItem: toRoute };
  return { count: only(counted).count, page: pageAt(rows, { offset: 0 }, reading) };
}

function visibleRoute(principal: Principal, route_id: number) {
  return visibleTo(principal, { account_id, tracker_id }, eq(id, route_id), eq(type, "route"));
}

/** That nobody has worked on the route yet. */
export function isChangeable(principal: Principal, route_id: number) {
  return sql`EXISTS (SELECT 1 FROM ${task} AS route WHERE ${visibleRoute(principal, route_id)}
    AND ${status} IN ('unassigned', 'assigned') AND NOT EXISTS (SELECT 1 FROM ${task} AS stop
      WHERE stop.account_id = ${account_id} AND stop.parent_id = ${id} AND stop.status NOT IN ('unassigned', 'assigned')))`;
}

/** For a batch: whether the route is there, and nobody has worked on it yet. */
export function selectState(db: Database, principal: Principal, route_id: number) {
  const isFree = and(isOpen, sql`NOT ${hasBegun(ofRow.id)}`);
  return db
    .select({ isOpen: isTrue(isFree) })
    .from(task)
    .where(ofType(principal, "route", eq(task.id, route_id)));
}
