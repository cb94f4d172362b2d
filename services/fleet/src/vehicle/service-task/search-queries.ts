import { eq, or, sql } from "drizzle-orm";
import type { SearchFields } from "#shared/database/conditions.ts";
import type { Sortable } from "#shared/database/order.ts";
import { anywhere } from "#shared/text/folded.ts";
import { serviceTask } from "../../table/service-task.ts";
import { vehicle } from "../../table/vehicle.ts";

/** Everything that tasks are sorted by, under the contract's names. */
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

/** Everything that search conditions name. */
export const SEARCHED: SearchFields = {
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

/** Where the text is found. */
export function mentions(text: string) {
  const pattern = anywhere(text);
  const columns = [serviceTask.description_folded, serviceTask.comment_folded, vehicle.label_folded];
  return or(...columns.map((column) => sql`${column} LIKE ${pattern} ESCAPE '\\'`));
}

/** The vehicle, by which a task is tied to a tracker. */
export const ofVehicle = eq(vehicle.id, serviceTask.vehicle_id);
/** To sub-users, what is of a vehicle on a hidden tracker is hidden too. */
export const scoped = { account_id: serviceTask.account_id, tracker_id: vehicle.tracker_id };
