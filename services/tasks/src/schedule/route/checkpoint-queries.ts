import { and, eq, ne, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { recordChange } from "../../outbox/audit.ts";
import { taskSchedule } from "../../table/schedule/task-schedule.ts";
import { deleteBindings } from "./queries.ts";

/** Deletes the schedule of a checkpoint; later checkpoints move up. A route keeps at least two checkpoints. */
export async function removeCheckpoint(db: Database, principal: Principal, id: number, actor: Actor) {
  const own = isCheckpoint(principal, id);
  const siblings = visibleTo(
    principal,
    taskSchedule,
    sql`${taskSchedule.parent_id} = ${selectColumn("parent_id", id)}`,
  );
  const isBehind = and(siblings, sql`${taskSchedule.order} > ${selectColumn('"order"', id)}`);
  const isRoute = visibleTo(principal, taskSchedule, sql`${taskSchedule.id} = ${selectColumn("parent_id", id)}`);
  await write(db, {
    isThere: demandThere(own),
    hasOthers: demand(sql`(SELECT count(*) FROM ${taskSchedule} WHERE ${siblings}) > 2`, () =>
      invalid("checkpoint_id", "is one of the last two checkpoints of its route"),
    ),
    unbound: deleteBindings(db, own),
    route: db.update(taskSchedule).set({ revision: raisedRevision }).where(isRoute),
    closed: db
      .update(taskSchedule)
      .set({ order: sql`${taskSchedule.order} - 1`, revision: raisedRevision })
      .where(isBehind),
    removed: db.delete(taskSchedule).where(own),
    recorded: recordChange(db, actor, { is: ["task_schedule", "delete"], entry_id: id }),
  });
}

/**
 * Turns the schedule of a checkpoint into that of a task on the days of its route; the route and its other checkpoints
 * are deleted.
 */
export async function convertToTask(db: Database, principal: Principal, id: number, actor: Actor) {
  const own = isCheckpoint(principal, id);
  const isOfRoute = or(
    sql`${taskSchedule.id} = ${selectColumn("parent_id", id)}`,
    sql`${taskSchedule.parent_id} = ${selectColumn("parent_id", id)}`,
  );
  const others = visibleTo(principal, taskSchedule, isOfRoute, ne(taskSchedule.id, id));
  await write(db, {
    isThere: demandThere(own),
    // Runs and zone changes since its creation were stored with the route only.
    days: db.run(
      sql`UPDATE ${taskSchedule} SET parameters = route.parameters, next_run = route.next_run, time_zone = route.time_zone,
          tracker_id = route.tracker_id, paused = route.paused, revision = ${raisedRevision}
        FROM ${taskSchedule} AS route WHERE ${own} AND route.id = ${taskSchedule.parent_id}`,
    ),
    unbound: deleteBindings(db, others),
    removed: db.delete(taskSchedule).where(others),
    turned: db.update(taskSchedule).set({ type: "task", parent_id: null, order: null }).where(own),
    recorded: recordChange(db, actor, { is: ["task_schedule", "transmute"], entry_id: id }),
  });
}

function demandThere(own: SQL | undefined) {
  return demand(isThere(taskSchedule, own), () => new ApiError(201));
}

/** A column of the checkpoint with this id. */
function selectColumn(column: string, id: number) {
  return sql`(SELECT ${sql.raw(`own.${column}`)} FROM ${taskSchedule} AS own WHERE own.id = ${id})`;
}

function isCheckpoint(principal: Principal, id: number) {
  return visibleTo(principal, taskSchedule, eq(taskSchedule.type, "checkpoint"), eq(taskSchedule.id, id));
}

const raisedRevision = sql`"task_schedule"."revision" + 1`;
