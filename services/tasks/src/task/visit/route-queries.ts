import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { eventOutbox } from "../../table/outbox/event-outbox.ts";
import { task } from "../../table/task/task.ts";
import { taskHistory } from "../../table/task/task-history.ts";

type RouteRecomputation = { account_id: number; now: number; revision: number };

/**
 * Steps after the update of checkpoints that recompute their routes: status, history and events; events of a status
 * that no longer holds are corrected. Each statement picks the same rows, until the last one changes them.
 */
export function recomputeRoutes(db: Database, recomputation: RouteRecomputation, checkpoint_ids: number[]) {
  const routes = selectRoutesOf(recomputation.account_id, checkpoint_ids);
  const hasNewStatus = sql`route.status <> route.status_before`;
  const hasNewEnd = sql`route.status = route.status_before AND route.status IN ('done', 'faulty') AND route.ended <> route.changed`;
  const ofRoutes = (condition: SQL) => sql`${taskHistory.account_id} = ${recomputation.account_id}
    AND ${taskHistory.task_id} IN (SELECT id FROM ${routes} AS route WHERE ${condition})
    AND ${taskHistory.payload} ->> 'status' IN ('done', 'faulty')`;
  return [
    insertCorrections(db, routes, hasNewStatus),
    insertRouteEvents(db, routes, hasNewStatus, recomputation),
    db.delete(taskHistory).where(ofRoutes(hasNewStatus)),
    db
      .update(taskHistory)
      .set({ event_date: sql`(SELECT route.ended FROM ${routes} AS route WHERE route.id = ${taskHistory.task_id})` })
      .where(ofRoutes(hasNewEnd)),
    insertRouteHistory(db, routes, hasNewStatus, recomputation),
    db
      .update(task)
      .set({
        status: sql`(SELECT route.status FROM ${routes} AS route WHERE route.id = ${task.id})`,
        status_change_date: sql`(SELECT ${selectStatusDate(recomputation)} FROM ${routes} AS route WHERE route.id = ${task.id})`,
      })
      .where(sql`${task.id} IN (SELECT id FROM ${routes} AS route WHERE ${hasNewStatus} OR ${hasNewEnd})`),
  ];
}

/** The routes with the status that their checkpoints give them, and since when. */
function selectRoutesOf(account_id: number, checkpoint_ids: number[]): SQL {
  const ofRoute = sql`stop.account_id = outer_route.account_id AND stop.parent_id = outer_route.id`;
  const isAny = (condition: SQL) => sql`EXISTS (SELECT 1 FROM ${task} AS stop WHERE ${ofRoute} AND ${condition})`;
  const isOutOfOrder = sql`EXISTS (SELECT 1 FROM ${task} AS stop JOIN ${task} AS later
    ON later.account_id = stop.account_id AND later.parent_id = stop.parent_id AND later."order" = stop."order" + 1
    WHERE ${ofRoute} AND later.arrival_date < stop.arrival_date)`;
  return sql`(SELECT outer_route.id, outer_route.account_id, outer_route.tracker_id, outer_route.label, outer_route.status AS status_before,
      outer_route.status_change_date AS changed,
      CASE WHEN ${isAny(sql`stop.status IN ('unassigned', 'assigned', 'arrived')`)} THEN 'assigned'
        WHEN ${isAny(sql`stop.status = 'failed'`)} THEN 'failed' WHEN ${isOutOfOrder} THEN 'faulty' ELSE 'done' END AS status,
      (SELECT max(stop.status_change_date) FROM ${task} AS stop WHERE ${ofRoute}) AS ended
    FROM ${task} AS outer_route WHERE outer_route.type = 'route' AND outer_route.account_id = ${account_id}
      AND outer_route.status IN ('assigned', 'done', 'faulty', 'failed')
      AND outer_route.id IN (SELECT parent_id FROM ${task} AS visited
        WHERE visited.account_id = ${account_id} AND visited.id IN (SELECT value FROM json_each(${JSON.stringify(checkpoint_ids)}))))`;
}

function insertCorrections(db: Database, routes: SQL, hasNewStatus: SQL) {
  const wrongId = sql`coalesce((SELECT event_id FROM ${taskHistory} AS entry WHERE entry.account_id = route.account_id
    AND entry.task_id = route.id AND entry.payload ->> 'status' = route.status_before ORDER BY entry.id DESC LIMIT 1),
    'task-' || route.id || '-' || ${selectEventSuffix(sql`route.status_before`)})`;
  return db
    .insert(eventOutbox)
    .select(
      sql`SELECT wrong_id || '-corrected', account_id, json_object('event_id', wrong_id || '-corrected', 'account_id', account_id,
          'tracker_id', tracker_id, 'event', 'corrected', 'time', changed, 'message', label, 'corrects', wrong_id,
          'extra', json_object('task_id', id))
        FROM (SELECT route.*, ${wrongId} AS wrong_id FROM ${routes} AS route
          WHERE ${hasNewStatus} AND route.status_before <> 'assigned' AND route.tracker_id IS NOT NULL) WHERE TRUE`,
    )
    .onConflictDoNothing();
}

function insertRouteEvents(db: Database, routes: SQL, hasNewStatus: SQL, recomputation: RouteRecomputation) {
  const event_id = selectEventId(recomputation);
  return db
    .insert(eventOutbox)
    .select(
      sql`SELECT ${event_id}, route.account_id, json_object('event_id', ${event_id}, 'account_id', route.account_id,
          'tracker_id', route.tracker_id, 'event', 'route_' || ${selectEventSuffix(sql`route.status`)},
          'time', CAST(${selectStatusDate(recomputation)} AS INTEGER), 'message', route.label, 'extra', json_object('task_id', route.id))
        FROM ${routes} AS route
        WHERE ${hasNewStatus} AND route.status <> 'assigned' AND route.tracker_id IS NOT NULL`,
    )
    .onConflictDoNothing();
}

function insertRouteHistory(db: Database, routes: SQL, hasNewStatus: SQL, recomputation: RouteRecomputation) {
  return db.insert(taskHistory).select(
    sql`SELECT NULL, route.account_id, route.id, route.account_id, ${selectStatusDate(recomputation)}, 'status_change',
        json_object('status', route.status), ${selectEventId(recomputation)}
      FROM ${routes} AS route WHERE ${hasNewStatus} AND route.status <> 'assigned'`,
  );
}

/** A done or faulty route ended with its last checkpoint; any other status begins now. */
function selectStatusDate({ now }: RouteRecomputation) {
  return sql`iif(route.status IN ('done', 'faulty'), route.ended, CAST(${now} AS INTEGER))`;
}

function selectEventId({ revision }: RouteRecomputation) {
  return sql`'task-' || route.id || '-' || ${selectEventSuffix(sql`route.status`)} || '-' || CAST(${revision} AS INTEGER)`;
}

function selectEventSuffix(status: SQL) {
  return sql`iif(${status} = 'done', 'completed', ${status})`;
}
