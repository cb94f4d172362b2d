import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { tagBinding } from "../../table/tag-binding.ts";
import { ofRow, task } from "../../table/task.ts";
import { taskHistory } from "../../table/task-history.ts";

const stop = alias(task, "stop");
/** As many as a route may have. */
export const MOST_CHECKPOINTS = 500;

/** Between the checkpoint that has this place and the one before it; `settleRoute` makes whole numbers of it. */
export function inFrontOf(place: number) {
  return sql`${place - 0.5}`;
}

/**
 * For the batch that changes what a route has: its checkpoints are numbered without gaps, it lasts from the first to the
 * last, and without any it is no more. The route is an id or a query for it, null where nothing changes; `leaving` is of
 * the checkpoint that the batch is about to take away.
 */
export function settleRoute(db: Database, { account_id }: Principal, route: SQL, leaving: SQL = sql`NULL`) {
  const staying = sql`FROM ${task} AS stop WHERE ${stop.account_id} = ${account_id} AND ${stop.id} IS NOT ${leaving}
    AND ${stop.parent_id}`;
  const ranked = sql`(SELECT ${stop.id} AS id, row_number() OVER (ORDER BY ${stop.order}, ${stop.id}) - 1 AS place
    ${staying} = ${route}) AS ranked`;
  const first = (column: SQL, direction: SQL) =>
    sql`(SELECT ${column} ${staying} = ${task.id} ORDER BY ${stop.order} ${direction} LIMIT 1)`;
  const own = and(eq(task.account_id, account_id), eq(task.type, "route"), sql`${task.id} = ${route}`);
  const hasAny = sql`EXISTS (SELECT 1 ${staying} = ${task.id})`;
  const isEmpty = and(own, sql`NOT ${hasAny}`);
  const empty = sql`(SELECT ${task.id} FROM ${task} WHERE ${isEmpty})`;
  return [
    db.run(
      sql`UPDATE ${task} SET "order" = ranked.place, revision = revision + 1 FROM ${ranked} WHERE ${task.id} = ranked.id`,
    ),
    db
      .update(task)
      .set({ from: first(sql`${stop.from}`, sql`ASC`), to: first(sql`${stop.to}`, sql`DESC`) })
      .where(and(own, hasAny)),
    db.delete(taskHistory).where(and(eq(taskHistory.account_id, account_id), sql`${taskHistory.task_id} IN ${empty}`)),
    db.delete(tagBinding).where(and(eq(tagBinding.entity_type, "task"), sql`${tagBinding.entity_id} IN ${empty}`)),
    db.delete(task).where(isEmpty),
  ] as const;
}

/**
 * The route and its checkpoints, where the account has it. On its own it says whose they are: beside a condition on the
 * account, all of the account would be looked through.
 */
export function isOfRoute({ account_id }: Pick<Principal, "account_id">, route: SQL): SQL {
  return sql`${task.id} IN (SELECT stop.id FROM ${task} AS stop WHERE stop.account_id = ${account_id} AND stop.parent_id = ${route}
    UNION ALL SELECT own.id FROM ${task} AS own WHERE own.id = ${route} AND own.account_id = ${account_id})`;
}

/** Of a route in the row's account: that somebody has worked on a checkpoint of it, or missed it. */
export function hasBegun(route: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${task} AS stop WHERE stop.account_id = ${ofRow.account_id}
    AND stop.parent_id = ${route} AND stop.status NOT IN ('unassigned', 'assigned'))`;
}

/** Of the row of a route. */
export const checkpointCount = sql<number>`(SELECT count(*) FROM ${task} AS stop
  WHERE stop.account_id = ${ofRow.account_id} AND stop.parent_id = ${ofRow.id})`;
