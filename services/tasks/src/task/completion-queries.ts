import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#shared/database/open.ts";
import { eventOutbox } from "../table/outbox/event-outbox.ts";
import { task } from "../table/task/task.ts";
import { type ChangeAuthor, insertHistory } from "./history/record-queries.ts";

/**
 * For the transaction that submits its form, in front of that, or takes it away: a task or checkpoint on which everything
 * else is done is completed, and so is the route whose last one it was.
 */
export function completeIfReady(db: Database, author: ChangeAuthor, own: SQL | undefined) {
  const now = author.action_date;
  const isReady = and(
    own,
    sql`${task.status} = 'arrived' AND ${task.stay_duration} >= ${task.min_stay_duration} * 60 AND ${now} <= ${task.deadline}`,
  );
  const id = sql`(SELECT ${task.id} FROM ${task} WHERE ${isReady})`;
  const outcome = sql`iif(${now} <= ${task.to} + 999, 'done', 'delayed')`;
  return [
    ...completionSteps(db, author, isRouteEndingWith(id), selectRouteOutcome(id)),
    ...completionSteps(db, author, isReady, outcome),
  ];
}

/** The status, its history and the event of it; the last statement changes what the condition finds. */
function completionSteps(db: Database, author: ChangeAuthor, condition: SQL | undefined, status: SQL) {
  const eventSuffix = sql`iif(${status} = 'done', 'completed', ${status})`;
  const event_id = sql`'task-' || ${task.id} || '-' || ${eventSuffix}`;
  return [
    db
      .insert(eventOutbox)
      .select(
        sql`SELECT ${event_id}, ${task.account_id}, json_object('event_id', ${event_id}, 'account_id', ${task.account_id},
            'tracker_id', ${task.tracker_id}, 'event', ${task.type} || '_' || ${eventSuffix}, 'time', CAST(${author.action_date} AS INTEGER),
            'message', ${task.label}, 'extra', ${EVENT_EXTRA})
          FROM ${task} WHERE ${condition} AND ${task.tracker_id} IS NOT NULL ORDER BY ${task.id}`,
      )
      .onConflictDoNothing(),
    insertHistory(db, author, "status_change", sql`json_object('status', ${status})`, condition),
    db.update(task).set({ status, status_change_date: author.action_date }).where(condition),
  ];
}

/** The route of which all checkpoints but this one are over. */
function isRouteEndingWith(id: SQL) {
  const open = sql`SELECT 1 FROM ${task} AS stop WHERE ${stop.account_id} = ${task.account_id} AND ${stop.parent_id} = ${task.id}
    AND ${stop.id} <> ${id} AND ${stop.status} IN ('unassigned', 'assigned', 'arrived')`;
  const route = sql`(SELECT ${stop.parent_id} FROM ${task} AS stop WHERE ${stop.id} = ${id})`;
  return and(
    eq(task.type, "route"),
    sql`${task.id} = ${route} AND ${task.status} IN ('unassigned', 'assigned') AND NOT EXISTS (${open})`,
  );
}

/** With the one that is being completed: failed where any has failed, faulty where they were visited out of order. */
function selectRouteOutcome(id: SQL) {
  const ofRoute = sql`${stop.account_id} = ${task.account_id} AND ${stop.parent_id} = ${task.id}`;
  const hasFailed = sql`EXISTS (SELECT 1 FROM ${task} AS stop WHERE ${ofRoute} AND ${stop.id} <> ${id} AND ${stop.status} = 'failed')`;
  const isOutOfOrder = sql`EXISTS (SELECT 1 FROM ${task} AS stop JOIN ${task} AS later
    ON later.account_id = stop.account_id AND later.parent_id = stop.parent_id AND later."order" = stop."order" + 1
    WHERE ${ofRoute} AND later.arrival_date < stop.arrival_date)`;
  return sql`CASE WHEN ${hasFailed} THEN 'failed' WHEN ${isOutOfOrder} THEN 'faulty' ELSE 'done' END`;
}

const stop = alias(task, "stop");
/** A checkpoint names its route. */
export const EVENT_EXTRA = sql`iif(${task.parent_id} IS NULL, json_object('task_id', ${task.id}),
  json_object('task_id', ${task.id}, 'parent_task_id', ${task.parent_id}))`;
