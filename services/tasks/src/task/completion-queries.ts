import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#shared/database/open.ts";
import { eventOutbox } from "../table/outbox/event-outbox.ts";
import { task } from "../table/task/task.ts";
import { type ChangeAuthor, insertHistory } from "./history/record-queries.ts";

/**
 * Steps that complete a task or checkpoint when only its form was missing, and its route when it was the last open
 * checkpoint. They run before the statement that submits or removes the form.
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

/**
 * Stores the event, the history and the status, in this order: the last statement changes the rows that the condition
 * finds.
 */
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

/** True for the route whose other checkpoints have all ended. */
function isRouteEndingWith(id: SQL) {
  const open = sql`SELECT 1 FROM ${task} AS stop WHERE ${stop.account_id} = ${task.account_id} AND ${stop.parent_id} = ${task.id}
    AND ${stop.id} <> ${id} AND ${stop.status} IN ('unassigned', 'assigned', 'arrived')`;
  const route = sql`(SELECT ${stop.parent_id} FROM ${task} AS stop WHERE ${stop.id} = ${id})`;
  return and(
    eq(task.type, "route"),
    sql`${task.id} = ${route} AND ${task.status} IN ('unassigned', 'assigned') AND NOT EXISTS (${open})`,
  );
}

/**
 * The route's status once this checkpoint is completed: failed if another one failed, faulty if they were visited out
 * of order.
 */
function selectRouteOutcome(id: SQL) {
  const ofRoute = sql`${stop.account_id} = ${task.account_id} AND ${stop.parent_id} = ${task.id}`;
  const hasFailed = sql`EXISTS (SELECT 1 FROM ${task} AS stop WHERE ${ofRoute} AND ${stop.id} <> ${id} AND ${stop.status} = 'failed')`;
  const isOutOfOrder = sql`EXISTS (SELECT 1 FROM ${task} AS stop JOIN ${task} AS later
    ON later.account_id = stop.account_id AND later.parent_id = stop.parent_id AND later."order" = stop."order" + 1
    WHERE ${ofRoute} AND later.arrival_date < stop.arrival_date)`;
  return sql`CASE WHEN ${hasFailed} THEN 'failed' WHEN ${isOutOfOrder} THEN 'faulty' ELSE 'done' END`;
}

const stop = alias(task, "stop");
/** The `extra` member of events; a checkpoint's event names its route, too. */
export const EVENT_EXTRA = sql`iif(${task.parent_id} IS NULL, json_object('task_id', ${task.id}),
  json_object('task_id', ${task.id}, 'parent_task_id', ${task.parent_id}))`;
