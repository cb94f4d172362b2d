import * as z from "zod";
import { MAX_ROWS, TABLE_FORMATS } from "#shared/contract/file/table-document.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { retryOutdated } from "#shared/database/steps.ts";
import { readAllRows } from "#shared/document/read-all-rows.ts";
import { renderTable } from "#shared/document/render-table.ts";
import { ApiError, type ErrorCode, invalid } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { fileAnswer } from "#shared/operation/file-answer.ts";
import { listAnswer, serializePages } from "#shared/operation/list-answer.ts";
import type { Clock } from "#shared/time/clock.ts";
import type { FleetEnv } from "../../env.ts";
import { operation } from "../../operation.ts";
import type { ServiceTaskRow } from "../../table/vehicle/service-task.ts";
import { type CounterState, findLack, needsOf, requireValues } from "./counter-state.ts";
import { COLUMNS, toServiceTaskDocument } from "./document.ts";
import {
  changeTask,
  completeTask,
  type FollowedConditions,
  insertTasks,
  removeTasks,
  requireTask,
  selectVehiclesWithCounters,
} from "./queries.ts";
import {
  ChangedServiceTask,
  type ConditionsOfTask,
  columnsOf,
  columnsOfChanges,
  conditionColumnsOf,
  NewServiceTask,
  ReadServiceTask,
  ServiceTask,
  TaskOfVehicles,
  toServiceTask,
} from "./schema.ts";
import { SEARCH, selectTasks } from "./search.ts";
import { followingConditions, newTaskColumns, notifyAt, sweepColumns } from "./stage.ts";

export const createServiceTask = operation("/vehicle/service_task/create", {
  summary: "Plans a service task of a vehicle; its conditions count from now on",
  right: "vehicle_update",
  input: z.object({ task: NewServiceTask }),
  output: z.object({ id: z.int() }),
  errors: [7, 201, 214, 268],
  async run({ task: { vehicle_id, ...task } }, call) {
    const { db, env, principal, actor } = call;
    const vehicle = (await selectVehiclesWithCounters(db, env, principal, [vehicle_id])).get(vehicle_id);
    if (!vehicle) throw new ApiError(201);
    const lack = findLackOfVehicle(vehicle, needsOf(columnsOf(task)));
    if (lack) throw new ApiError(lack);
    const lost = () => new ApiError(201);
    const ids = await insertTasks(db, principal, [toNewTask(task, vehicle, call)], lost, actor);
    return { id: onlyRow(ids) };
  },
});

/** The batch operation, declared under both of its paths. */
function declareBatchCreate(path: `/${string}`) {
  return operation(path, {
    summary: "Plans the same service task for all of the vehicles, or in case of an error for none",
    right: "vehicle_update",
    input: z.object({ vehicle_ids: z.array(z.int()).min(1).max(1000), task: TaskOfVehicles }),
    output: z.object({ ids: z.array(z.int()) }),
    errors: [268],
    answerAgain: {
      // The tasks were inserted by one statement, and the captured id is the last one.
      async create(rowId, { vehicle_ids }) {
        const count = new Set(vehicle_ids).size;
        return { ids: Array.from({ length: count }, (_, index) => rowId - count + 1 + index) };
      },
    },
    async run({ vehicle_ids, task }, call) {
      const { db, env, principal, actor } = call;
      const ids = [...new Set(vehicle_ids)];
      const found = await selectVehiclesWithCounters(db, env, principal, ids);
      const needs = needsOf(columnsOf(task));
      const tasks = ids.map((id) => {
        const vehicle = found.get(id);
        const parameter = `vehicle_ids.${vehicle_ids.indexOf(id)}`;
        if (!vehicle) throw invalid(parameter, "is not a vehicle of yours");
        if (findLackOfVehicle(vehicle, needs))
          throw invalid(parameter, "is a vehicle without a tracker or the counters needed");
        return toNewTask(task, vehicle, call);
      });
      const lost = () => invalid("vehicle_ids", "names a vehicle that was changed meanwhile");
      return { ids: await insertTasks(db, principal, tasks, lost, actor) };
    },
  });
}
export const createServiceTaskBatch = declareBatchCreate("/vehicle/service_task/batch/create");
export const batchCreateServiceTasks = declareBatchCreate("/vehicle/service_task/batch_create");

export const readServiceTask = operation("/vehicle/service_task/read", {
  summary: "A service task with its files and the current values of its counters",
  reads: true,
  input: z.object({ task_id: z.int(), return_prediction: z.boolean().default(true) }),
  output: z.object({ value: ReadServiceTask }),
  errors: [201, 204],
  async run({ task_id, return_prediction }, { db, env, principal, clock, request }) {
    const { task, ...related } = await requireTask(db, env, principal, task_id);
    if (task.status !== "done") requireValues(needsOf(task), related.counterState);
    const value = toServiceTask(task, { ...related, now: clock.now(), withPrediction: return_prediction });
    const ofTask = { account_id: principal.account_id, ids: value.file_ids, base_url: request.base_url };
    const files = ofTask.ids.length > 0 ? await env.FILES.filesOf(ofTask) : [];
    return { value: { ...value, files } };
  },
});

export const listServiceTasks = operation("/vehicle/service_task/list", {
  summary: "Service tasks of the vehicles that the caller sees, searched, sorted and in pages",
  reads: true,
  input: z.object(SEARCH),
  output: z.object({ list: z.array(ServiceTask), count: z.int() }),
  errors: [201],
  async run(search, call) {
    const { page, count } = await selectTasks(search, call);
    return listAnswer({ count }, serializePages(ServiceTask, page, call.clock));
  },
});

export const downloadServiceTasks = operation("/vehicle/service_task/download", {
  summary: `Service tasks as a document, in the language of the user's locale; at most ${MAX_ROWS}, fewer as PDF`,
  reads: true,
  reply: ["pdf", "xls", "xlsx"],
  expensive: true,
  input: z.object({
    ...SEARCH,
    format: z.enum(TABLE_FORMATS).default("pdf"),
    group_by: z.enum(["vehicle", "status"]).nullable().default(null),
    add_filename_header: z.boolean().default(false),
    columns: z
      .array(z.enum(COLUMNS))
      .min(1)
      .max(COLUMNS.length)
      .refine((columns) => new Set(columns).size === columns.length, { error: "must name no column twice" })
      .default(COLUMNS.filter((name) => name !== "creation_date")),
  }),
  output: z.object({}),
  errors: [201, 267],
  async run({ format, group_by, add_filename_header, columns, ...search }, call) {
    const { principal, clock } = call;
    const tasks = await readAllRows((await selectTasks(search, call)).page, "limit");
    const document = toServiceTaskDocument(tasks, { columns, group_by }, principal, clock);
    const file = await renderTable(document, format, call);
    return fileAnswer(file, `${document.title} ${document.subtitle}`, format, add_filename_header);
  },
});

export const updateServiceTask = operation("/vehicle/service_task/update", {
  summary:
    "Changes a service task; members that are left out stay. With other conditions it restarts as planned, from the same start",
  right: "vehicle_update",
  input: z.object({ task: ChangedServiceTask }),
  output: z.object({}),
  errors: [204, 214],
  async run({ task: { id, vehicle_id, conditions, ...changes } }, call) {
    const { task, counterState } = await requireTask(call.db, call.env, call.principal, id);
    if (vehicle_id !== undefined && vehicle_id !== task.vehicle_id) {
      throw invalid("task.vehicle_id", "is not the vehicle of the task");
    }
    const followed = conditions && followConditions(conditions, task, counterState, call.clock);
    await changeTask(call.db, call.principal, { id, ...columnsOfChanges(changes) }, followed, call.actor);
    return {};
  },
});

export const setServiceTaskStatus = operation("/vehicle/service_task/set_status", {
  summary: "Completes a service task; a repeating task is planned again",
  right: "vehicle_update",
  input: z.object({ task_id: z.int(), status: z.literal("done") }),
  output: z.object({}),
  errors: [201, 204, 268],
  async run({ task_id }, call) {
    await retryOutdated(() => completeOnce(task_id, call));
    return {};
  },
});

export const deleteServiceTask = operation("/vehicle/service_task/delete", {
  summary: "Deletes a service task or several; unknown ids are skipped",
  right: "vehicle_update",
  input: z.object({ task_id: z.int().optional(), task_ids: z.array(z.int()).max(10_000).optional() }),
  output: z.object({}),
  errors: [],
  async run({ task_id, task_ids }, { db, principal, actor }) {
    if ((task_id === undefined) === (task_ids === undefined)) {
      throw invalid("task_id", "give exactly one of task_id and task_ids");
    }
    await removeTasks(db, principal, task_ids ?? [task_id ?? 0], actor);
    return {};
  },
});

export const operations = [
  createServiceTask,
  createServiceTaskBatch,
  batchCreateServiceTasks,
  readServiceTask,
  listServiceTasks,
  downloadServiceTasks,
  updateServiceTask,
  setServiceTaskStatus,
  deleteServiceTask,
];

/** The condition columns of a task that gets other conditions. Its start stays. */
function followConditions(
  conditions: ConditionsOfTask,
  task: ServiceTaskRow,
  counterState: CounterState,
  clock: Clock,
): FollowedConditions {
  const columns = conditionColumnsOf(conditions);
  const { date_end } = task;
  // Callers send the end back in whole seconds of their zone: an unchanged end keeps its milliseconds.
  const isSameEnd = date_end !== null && conditions.date && clock.write(conditions.date.end) === clock.write(date_end);
  if (isSameEnd) columns.date_end = date_end;
  // Counters that had a value at the start need none now, whatever became of the tracker.
  const needs = needsOf(columns);
  const lack = findLack(
    {
      mileage: needs.mileage && task.start_mileage === null,
      engine_hours: needs.engine_hours && task.start_hours === null,
    },
    counterState,
  );
  if (lack) throw new ApiError(lack === 214 ? 214 : 204);
  const followedColumns = {
    ...columns,
    notify_at: notifyAt(columns.date_end, columns.date_notification, clock.zone),
    start_mileage: task.start_mileage ?? counterState.mileage,
    start_hours: task.start_hours ?? counterState.engine_hours,
    start_date: task.start_date,
  };
  const { start_date, ...followed } = {
    ...followedColumns,
    ...sweepColumns(followedColumns, counterState, clock.now()),
  };
  return followed;
}

/**
 * Completes a task once. The following task is derived from the task as it was read: when that has changed since, the
 * batch fails and is tried again.
 */
async function completeOnce(task_id: number, { db, env, principal, clock, actor }: Call<FleetEnv>) {
  const { task, counterState } = await requireTask(db, env, principal, task_id);
  if (task.status === "done") return;
  const needs = needsOf(task);
  requireValues(needs, counterState);
  const now = clock.now();
  const completion = {
    completion_mileage: needs.mileage ? counterState.mileage : null,
    completion_hours: needs.engine_hours ? counterState.engine_hours : null,
    completion_date: now,
  };
  const restart = { status: "created" as const, ...followingConditions(task, now, clock.zone) };
  // Files document the completed work, so the following task has none.
  const { id, ...repeated } = { ...task, ...restart, file_ids: [] };
  const following = task.repeat ? { ...newTaskColumns(repeated, counterState, now, clock.zone), revision: 0 } : null;
  await completeTask(db, principal, task, completion, following, actor);
}

type VehicleOnTracker = { id: number; tracker_id: number | null; counterState: CounterState };

/** The error code when the vehicle cannot have a task that needs these counters. Every task needs a tracker. */
function findLackOfVehicle(
  { tracker_id, counterState }: VehicleOnTracker,
  needs: ReturnType<typeof needsOf>,
): ErrorCode | undefined {
  return tracker_id === null ? 201 : findLack(needs, counterState);
}

function toNewTask(
  task: TaskOfVehicles,
  { id, tracker_id, counterState }: VehicleOnTracker,
  { principal, clock }: Call<FleetEnv>,
) {
  const columns = newTaskColumns(columnsOf(task), counterState, clock.now(), clock.zone);
  return {
    ...columns,
    account_id: principal.account_id,
    vehicle_id: id,
    tracker_id,
    status: "created" as const,
    revision: 0,
  };
}
