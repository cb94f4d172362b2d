import { sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow, selectWhether } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { serviceTask } from "../../table/vehicle/service-task.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";
import { isOfVehicle, TASK_SCOPE } from "./search-queries.ts";

/** What tasks of vehicles that the caller sees name, as a statement. */
export function namedFiles(principal: Principal) {
  // Of tasks that have files, an index knows the few.
  const hasFiles = sql`${serviceTask.file_ids} <> '[]'`;
  return sql`SELECT named.value FROM ${serviceTask} JOIN ${vehicle} ON ${isOfVehicle}, json_each(${serviceTask.file_ids}) AS named
    WHERE ${visibleTo(principal, TASK_SCOPE, hasFiles)}`;
}

/** Whether a task of a vehicle that the caller sees names the file. */
export async function namesFile(db: Database, principal: Principal, id: number): Promise<boolean> {
  const { holds } = onlyRow(await selectWhether(db, sql`${id} IN (${namedFiles(principal)})`));
  return holds;
}
