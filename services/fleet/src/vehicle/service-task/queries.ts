import { and, count, eq, getTableColumns, not, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Actor, someOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { isThere, onlyRow, rowIf } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demandSearchable } from "#shared/database/search-size.ts";
import { demand, demandChange, outdatedError, read, write } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import type { ListWindow } from "#shared/operation/list-answer.ts";
import type { FleetEnv } from "../../env.ts";
import { recordChange, recordEachChange } from "../../outbox/audit.ts";
import { searchSize } from "../../table/search-size.ts";
import { type ServiceTaskRow, serviceTask } from "../../table/vehicle/service-task.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";
import { selectCounterRows } from "../../telemetry/counter/queries.ts";
import { selectUsable } from "../../tracker/origin-queries.ts";
import { areFilesUsable, updateFileExpiry } from "../service-task-file/queries.ts";
import { counterStateOn, readCounterStates } from "./counter-state.ts";
import { namedFiles } from "./file-queries.ts";
import { isOfVehicle, TASK_SCOPE } from "./search-queries.ts";

/** Those of the vehicles that the principal sees, each with its counters. */
export async function selectVehiclesWithCounters(db: Database, env: FleetEnv, principal: Principal, ids: number[]) {
  const visible = visibleTo(principal, vehicle, among(vehicle.id, ids));
  const trackers = sql`SELECT ${vehicle.tracker_id} FROM ${vehicle} WHERE ${visible}`;
  const { rows, usable, counters } = await read(db, {
    rows: db.select({ id: vehicle.id, tracker_id: vehicle.tracker_id }).from(vehicle).where(visible),
    usable: selectUsable(db, principal, trackers),
    counters: selectCounterRows(db, principal, trackers),
  });
  const counterStates = await readCounterStates(env, usable, counters);
  return new Map(rows.map((row) => [row.id, { ...row, counterState: counterStateOn(counterStates, row.tracker_id) }]));
}

/** A task with its vehicle's counters; 204 unless the principal sees it. */
export async function requireTask(db: Database, env: FleetEnv, principal: Principal, id: number) {
  const visible = visibleTo(principal, TASK_SCOPE, eq(serviceTask.id, id));
  const trackers = sql`SELECT ${vehicle.tracker_id} FROM ${serviceTask} JOIN ${vehicle} ON ${isOfVehicle} WHERE ${visible}`;
  const {
    found: [found],
    usable,
    counters,
  } = await read(db, {
    found: selectWithVehicle(db).where(visible),
    usable: selectUsable(db, principal, trackers),
    counters: selectCounterRows(db, principal, trackers),
  });
  if (!found) throw new ApiError(204);
  return { ...found, counterState: counterStateOn(await readCounterStates(env, usable, counters), found.tracker_id) };
}

/** A row to insert, with the tracker whose counters its start values come from. */
export type NewTask = typeof serviceTask.$inferInsert & { tracker_id: number | null };

/**
 * Creates all tasks or none: throws `lost` when a vehicle is gone or has another tracker meanwhile. All tasks name the
 * same files.
 */
export async function insertTasks(
  db: Database,
  principal: Principal,
  tasks: NewTask[],
  lost: () => Error,
  actor: Actor,
): Promise<number[]> {
  const { account_id } = principal;
  // CROSS JOIN makes SQLite look up vehicles by the tasks' ids, instead of scanning the tasks for each vehicle of the
  // account.
  const onVehicles = sql`json_each(${JSON.stringify(tasks)}) AS planned CROSS JOIN ${vehicle} ON ${vehicle.id} = planned.value ->> 'vehicle_id'
    AND ${vehicle.tracker_id} IS planned.value ->> 'tracker_id' AND ${visibleTo(principal, vehicle)}`;
  const names = Object.keys(getTableColumns(serviceTask)).filter((name) => name !== "id" && name !== "account_id");
  const values = names.map((name) => sql.raw(`planned.value ->> '${name}'`));
  const { inserted } = await write(db, {
    files: demandFiles(principal, tasks[0]?.file_ids),
    quota: demandQuota(principal, "service_tasks", serviceTask, tasks.length),
    inserted: db
      .insert(serviceTask)
      .select(sql`SELECT NULL, ${account_id}, ${sql.join(values, sql`, `)} FROM ${onVehicles} ORDER BY planned.key`)
      .returning({ id: serviceTask.id }),
    all: demand(sql`changes() = ${tasks.length}`, lost),
    record: recordChange(db, actor, { is: ["service_task", "create"], ...summaryOf(tasks) }),
    fileExpiry: updateFileExpiry(db, principal, actor.action_date),
  });
  return inserted.map(({ id }) => id).toSorted((one, other) => one - other);
}

type Changes = Partial<typeof serviceTask.$inferInsert> & { id: number };
/** The condition columns of a changed task with its start values and the columns of its sweeps. */
export type FollowedConditions = Pick<
  ServiceTaskRow,
  | (typeof CONDITIONS)[number]
  | "mileage_repeat"
  | "hours_repeat"
  | "date_repeat"
  | "notify_at"
  | "start_mileage"
  | "start_hours"
  | "due_at"
  | "checked_at"
  | "predicted_date"
>;

/** Changes a task; without `followed` its conditions stay. */
export async function changeTask(
  db: Database,
  principal: Principal,
  changes: Changes,
  followed: FollowedConditions | undefined,
  actor: Actor,
) {
  const { id } = changes;
  await write(db, {
    files: demandFiles(principal, changes.file_ids),
    update: db
      .update(serviceTask)
      .set({ ...changes, ...(followed && columnsOfFollowed(followed)) })
      .where(isVisible(principal, [id])),
    task: demandChange(() => new ApiError(204)),
    record: recordChange(db, actor, {
      is: ["service_task", "update"],
      entry_id: id,
      payload: sql`SELECT json_object('description', ${serviceTask.description}) FROM ${serviceTask} WHERE ${serviceTask.id} = ${id}`,
    }),
    fileExpiry: updateFileExpiry(db, principal, actor.action_date),
  });
}

/** A task whose conditions differ restarts in status `created`; a completed task stays completed. */
function columnsOfFollowed(followed: FollowedConditions) {
  const { start_mileage, start_hours, due_at, checked_at, predicted_date, ...conditions } = followed;
  const isDifferent = sql.join(
    CONDITIONS.map((name) => sql`${serviceTask[name]} IS NOT ${conditions[name]}`),
    sql` OR `,
  );
  const restarts = sql`(${serviceTask.status} <> 'done' AND (${isDifferent}))`;
  const whenRestarted = (name: "status" | "due_at" | "checked_at" | "predicted_date", value: string | number | null) =>
    sql`iif(${restarts}, ${value}, ${serviceTask[name]})`;
  return {
    ...conditions,
    start_mileage: sql`coalesce(${serviceTask.start_mileage}, ${start_mileage})`,
    start_hours: sql`coalesce(${serviceTask.start_hours}, ${start_hours})`,
    status: whenRestarted("status", "created"),
    due_at: whenRestarted("due_at", due_at),
    checked_at: whenRestarted("checked_at", checked_at),
    predicted_date: whenRestarted("predicted_date", predicted_date),
    revision: sql`${serviceTask.revision} + ${restarts}`,
  };
}

type Completion = Pick<ServiceTaskRow, "completion_mileage" | "completion_hours" | "completion_date">;
type Following = Omit<typeof serviceTask.$inferInsert, "id">;

/** Completes a task once, however many calls ask for it, and creates the following task in the same transaction. */
export async function completeTask(
  db: Database,
  principal: Principal,
  { id, revision }: Pick<ServiceTaskRow, "id" | "revision">,
  completion: Completion,
  following: Following | null,
  actor: Actor,
) {
  const own = isVisible(principal, [id]);
  // The following task was computed from the task as it was read.
  const isAsRead = eq(serviceTask.revision, revision);
  await write(db, {
    task: demand(isThere(serviceTask, own), () => new ApiError(204)),
    revision: demand(isThere(serviceTask, and(own, or(isAsRead, isDone))), outdatedError),
    quota: following ? demandQuota(principal, "service_tasks", serviceTask) : undefined,
    update: db
      .update(serviceTask)
      .set({ ...completion, status: "done", due_at: null, checked_at: null, predicted_date: null })
      .where(and(own, not(isDone))),
    record: recordChange(db, actor, {
      is: ["service_task", "done"],
      entry_id: id,
      payload: { repeated: following !== null },
    }),
    // `changes()` is 0 when the task was completed before: then nothing was recorded, and no task follows.
    following: following ? db.insert(serviceTask).select(rowIf(serviceTask, following, sql`changes() > 0`)) : undefined,
  });
}

/** Deletes tasks; unknown ids are skipped. */
export async function removeTasks(db: Database, principal: Principal, ids: number[], actor: Actor) {
  const own = isVisible(principal, ids);
  const entries = sql`SELECT ${serviceTask.id} AS id, json_object('vehicle_id', ${serviceTask.vehicle_id},
    'description', ${serviceTask.description}) AS payload FROM ${serviceTask} WHERE ${own}`;
  await write(db, {
    record: recordEachChange(db, actor, { is: ["service_task", "delete"] }, entries),
    removal: db.delete(serviceTask).where(own),
    fileExpiry: updateFileExpiry(db, principal, actor.action_date),
  });
}

/** Step behind the deletion of vehicles: deletes the tasks of those that are gone. */
export function removeTasksOfRemoved(db: Database, { account_id }: Principal, vehicle_ids: number[]) {
  return db
    .delete(serviceTask)
    .where(
      and(
        eq(serviceTask.account_id, account_id),
        among(serviceTask.vehicle_id, vehicle_ids),
        sql`NOT EXISTS (SELECT 1 FROM ${vehicle} WHERE ${isOfVehicle})`,
      ),
    );
}

/** Condition: the vehicle has service tasks, completed or not. */
export function hasTasks({ account_id }: Principal, vehicle_id: number | SQL | SQLiteColumn): SQL {
  return sql`EXISTS (SELECT 1 FROM ${serviceTask} WHERE ${serviceTask.account_id} = ${account_id}
    AND ${serviceTask.vehicle_id} = ${vehicle_id})`;
}

type PageOptions = ListWindow & { order: SQL[] };
/** The condition of a search, and the number of texts that it compares. */
type TaskSearch = { condition: SQL | undefined; texts: number };

/**
 * A page of tasks with their vehicles' counters, the number of all matching tasks, and how many of `vehicle_ids` are
 * visible.
 */
export async function selectTaskPage(
  { db, env, principal }: Pick<Call<FleetEnv>, "db" | "env" | "principal">,
  { condition, texts }: TaskSearch,
  slice: PageOptions,
  vehicle_ids: number[],
) {
  const all = db
    .select({ count: count() })
    .from(serviceTask)
    .innerJoin(vehicle, isOfVehicle)
    .where(visibleTo(principal, TASK_SCOPE, condition));
  // A window function counts the matches of a search in the same pass; without a search, an index counts faster.
  const total = condition ? sql<number>`count(*) OVER ()` : sql<number>`(${all})`;
  const { rows, vehicles } = await read(db, {
    searchable: demandSearchable(searchSize, principal, texts),
    rows: selectTaskRows(db, visibleTo(principal, TASK_SCOPE, condition), slice, total),
    vehicles: db
      .select({ count: count() })
      .from(vehicle)
      .where(visibleTo(principal, vehicle, among(vehicle.id, vehicle_ids))),
  });
  const trackers = [...new Set(rows.flatMap(({ tracker_id }) => tracker_id ?? []))];
  const { usable, counters, counted } = await read(db, {
    usable: selectUsable(db, principal, trackers),
    counters: selectCounterRows(db, principal, trackers),
    counted: rows.length === 0 ? all : undefined,
  });
  const counterStates = await readCounterStates(env, usable, counters);
  const found = rows.map(({ total, ...row }) => ({
    ...row,
    counterState: counterStateOn(counterStates, row.tracker_id),
  }));
  return { found, count: rows[0]?.total ?? onlyRow(counted ?? []).count, vehicles: onlyRow(vehicles).count };
}

function selectTaskRows(
  db: Database,
  visible: SQL | undefined,
  { order, limit = MAX_ROWS_PER_PAGE, offset }: PageOptions,
  total: SQL<number>,
) {
  const ids = db
    .select({ id: serviceTask.id, total: total.as("total") })
    .from(serviceTask)
    .innerJoin(vehicle, isOfVehicle)
    .where(visible)
    .orderBy(...order)
    .limit(Math.min(limit, MAX_ROWS_PER_PAGE))
    .offset(offset)
    .as("ids");
  return db
    .select({ task: serviceTask, vehicle_label: vehicle.label, tracker_id: vehicle.tracker_id, total: ids.total })
    .from(ids)
    .innerJoin(serviceTask, eq(serviceTask.id, ids.id))
    .innerJoin(vehicle, isOfVehicle)
    .orderBy(...order);
}

/** The query for tasks with their vehicles, of any account unless a condition limits it. */
export function selectWithVehicle(db: Database) {
  return db
    .select({ task: serviceTask, vehicle_label: vehicle.label, tracker_id: vehicle.tracker_id })
    .from(serviceTask)
    .innerJoin(vehicle, isOfVehicle)
    .$dynamic();
}

function demandFiles(principal: Principal, ids: number[] = []) {
  return demand(areFilesUsable(principal, ids, namedFiles(principal)), () =>
    invalid("task.file_ids", "names a file that is not uploaded"),
  );
}

/** The entry of the audit record: the task, or the number of tasks and their vehicles. */
function summaryOf(tasks: NewTask[]) {
  const [first, ...more] = tasks;
  if (first && more.length === 0) {
    const { vehicle_id, description } = first;
    return { entry_id: sql`last_insert_rowid()`, payload: { vehicle_id, description } };
  }
  return { payload: { count: tasks.length, vehicles: someOf(tasks.map(({ vehicle_id }) => vehicle_id)) } };
}

/** Condition on `service_task` alone: the task is one of the ids and its vehicle is visible. */
function isVisible(principal: Principal, ids: number[]): SQL {
  const [first] = ids;
  // SQLite looks up a single id directly, where it would scan the account's tasks for a list.
  const chosen = ids.length === 1 && first !== undefined ? eq(serviceTask.id, first) : among(serviceTask.id, ids);
  const visible = visibleTo(principal, TASK_SCOPE, chosen);
  return sql`${serviceTask.id} IN (SELECT ${serviceTask.id} FROM ${serviceTask} JOIN ${vehicle} ON ${isOfVehicle} WHERE ${visible})`;
}

/** The columns that decide when a task is due. */
const CONDITIONS = [
  "mileage_limit",
  "mileage_notification",
  "hours_limit",
  "hours_notification",
  "date_end",
  "date_notification",
] as const;
const isDone = eq(serviceTask.status, "done");
/** A page of the longest rows is some 5 MB. */
export const MAX_ROWS_PER_PAGE = 500;
