import { and, eq, or, type SQL } from "drizzle-orm";
import { matchConditions, type SearchFields } from "#shared/database/conditions.ts";
import { mentions } from "#shared/database/mentions.ts";
import { orderBy, type Sortable } from "#shared/database/order.ts";
import { among } from "#shared/database/scope.ts";
import type { Clock } from "#shared/time/clock.ts";
import { type SERVICE_TASK_STATUSES, serviceTask } from "../../table/vehicle/service-task.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";

/** The columns that tasks can be sorted by, under the names of the public API. */
export const SORTABLE: Sortable = {
  id: serviceTask.id,
  vehicle: vehicle.label_folded,
  vehicle_id: serviceTask.vehicle_id,
  description: serviceTask.description_folded,
  comment: serviceTask.comment_folded,
  creation_date: serviceTask.start_date,
  completion_date: serviceTask.completion_date,
  status: serviceTask.status,
  cost: serviceTask.cost,
  predicted_date: serviceTask.predicted_date,
};

/** The fields that search conditions can name. */
const SEARCH_FIELDS: SearchFields = {
  vehicle: { kind: "entity", id: serviceTask.vehicle_id, folded: vehicle.label_folded },
  vehicle_id: { kind: "number", column: serviceTask.vehicle_id },
  description: { kind: "text", folded: serviceTask.description_folded },
  comment: { kind: "text", folded: serviceTask.comment_folded },
  creation_date: { kind: "moment", column: serviceTask.start_date },
  completion_date: { kind: "moment", column: serviceTask.completion_date },
  status: { kind: "text", folded: serviceTask.status },
  cost: { kind: "number", column: serviceTask.cost },
  predicted_date: { kind: "moment", column: serviceTask.predicted_date },
};

type TaskConditions = {
  only_unplanned: boolean;
  vehicle_ids: number[] | null;
  statuses: (typeof SERVICE_TASK_STATUSES)[number][] | null;
  filter: string | null;
  conditions: unknown[] | null;
};

/** Condition: the task matches the search. */
export function matchesSearch(
  { only_unplanned, vehicle_ids, statuses, filter, conditions }: TaskConditions,
  clock: Clock,
): SQL | undefined {
  return and(
    only_unplanned ? eq(serviceTask.unplanned, true) : undefined,
    vehicle_ids ? among(serviceTask.vehicle_id, vehicle_ids) : undefined,
    statuses ? among(serviceTask.status, statuses) : undefined,
    filter ? anyMentions(filter) : undefined,
    matchConditions(conditions, SEARCH_FIELDS, clock),
  );
}

export function orderOf(sort: string[] | null): SQL[] {
  return orderBy(sort, SORTABLE, serviceTask.id);
}

function anyMentions(text: string) {
  const columns = [serviceTask.description_folded, serviceTask.comment_folded, vehicle.label_folded];
  return or(...columns.map((column) => mentions(column, text)));
}

/** Joins a task with its vehicle, whose tracker decides who sees it. */
export const isOfVehicle = eq(vehicle.id, serviceTask.vehicle_id);
/** Hides tasks of vehicles on trackers that a sub-user does not see. */
export const TASK_SCOPE = { account_id: serviceTask.account_id, tracker_id: vehicle.tracker_id };
