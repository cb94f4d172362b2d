import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { tagBinding } from "../../table/tag/tag-binding.ts";
import { outerTask, task } from "../../table/task/task.ts";
import { taskHistory } from "../../table/task/task-history.ts";
import { MAX_CHECKPOINTS } from "./schema.ts";

const stop = alias(task, "stop");

/** An order between the checkpoint at `order` and the one before it; `recomputeRoute` turns it into a whole number. */
export function orderBefore(order: number) {
  return sql`${order - 0.5}`;
}

/**
 * Steps that number the checkpoints of a route without gaps and set its time from the first to the last of them.
 * `route` is an id or a query for it; `leaving` is the id of a checkpoint that is about to be removed.
 */
export function recomputeRoute(db: Database, principal: Principal, route: SQL, leaving?: SQL) {
  const staying = remainingStops(principal, leaving);
  const ranked = sql`(SELECT ${stop.id} AS id, row_number() OVER (ORDER BY ${stop.order}, ${stop.id}) - 1 AS place
    ${staying} = ${route}) AS ranked`;
  const first = (column: SQL, direction: SQL) =>
    sql`(SELECT ${column} ${staying} = ${task.id} ORDER BY ${stop.order} ${direction} LIMIT 1)`;
  return [
    db.run(
      sql`UPDATE ${task} SET "order" = ranked.place, revision = revision + 1 FROM ${ranked} WHERE ${task.id} = ranked.id`,
    ),
    db
      .update(task)
      .set({ from: first(sql`${stop.from}`, sql`ASC`), to: first(sql`${stop.to}`, sql`DESC`) })
      .where(and(isRoute(principal, route), hasRemaining(staying))),
  ];
}

/** Deletes the route if it has no other checkpoint. Runs before the statement that removes the checkpoint. */
export function removeEmptyRoute(db: Database, principal: Principal, route: SQL, leaving: SQL) {
  const isEmpty = and(isRoute(principal, route), sql`NOT ${hasRemaining(remainingStops(principal, leaving))}`);
  return removeTasks(db, principal, isEmpty);
}

/** Deletes tasks with their history and tags. */
export function removeTasks(db: Database, principal: Principal, condition: SQL | undefined) {
  const ids = sql`(SELECT ${task.id} FROM ${task} WHERE ${condition})`;
  return [
    db.delete(taskHistory).where(visibleTo(principal, taskHistory, sql`${taskHistory.task_id} IN ${ids}`)),
    // The ids suffice: with a condition on the account SQLite would search all of its tags.
    db.delete(tagBinding).where(and(eq(tagBinding.entity_type, "task"), sql`${tagBinding.entity_id} IN ${ids}`)),
    db.delete(task).where(condition),
  ];
}

/** A subquery's end without its value: callers append `= route`. */
function remainingStops({ account_id }: Principal, leaving = sql`NULL`) {
  return sql`FROM ${task} AS stop WHERE ${stop.account_id} = ${account_id} AND ${stop.id} IS NOT ${leaving}
    AND ${stop.parent_id}`;
}

function hasRemaining(staying: SQL) {
  return sql`EXISTS (SELECT 1 ${staying} = ${task.id})`;
}

function isRoute({ account_id }: Principal, route: SQL) {
  return and(eq(task.account_id, account_id), eq(task.type, "route"), sql`${task.id} = ${route}`);
}

/**
 * True for the account's route and its checkpoints. Used without another condition on the account, with which SQLite
 * would search all of the account's tasks.
 */
export function isOfRoute({ account_id }: Pick<Principal, "account_id">, route: SQL): SQL {
  return sql`${task.id} IN (SELECT stop.id FROM ${task} AS stop WHERE stop.account_id = ${account_id} AND stop.parent_id = ${route}
    UNION ALL SELECT own.id FROM ${task} AS own WHERE own.id = ${route} AND own.account_id = ${account_id})`;
}

/** True when a checkpoint of the route was arrived at, completed or missed. Uses the account of the outer row. */
export function hasBegun(route: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${task} AS stop WHERE stop.account_id = ${outerTask.account_id}
    AND stop.parent_id = ${route} AND stop.status NOT IN ('unassigned', 'assigned'))`;
}

/** True when the outer row, a route, may get one more checkpoint. */
export const isBelowMaxCheckpoints = sql`(SELECT count(*) FROM ${task} AS stop
  WHERE stop.account_id = ${outerTask.account_id} AND stop.parent_id = ${outerTask.id}) < ${MAX_CHECKPOINTS}`;
