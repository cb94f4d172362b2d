import { sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow, selectWhether } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { serviceTask } from "../../table/vehicle/service-task.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";
import { isOfVehicle, TASK_SCOPE } from "./search-queries.ts";

/** A SELECT of the files that tasks of visible vehicles name. */
export function namedFiles(principal: Principal) {
  // Uses the partial index of the few tasks that have files.
  const hasFiles = sql`${serviceTask.file_ids} <> '[]'`;
  return sql`SELECT named.value FROM ${serviceTask} JOIN ${vehicle} ON ${isOfVehicle}, json_each(${serviceTask.file_ids}) AS named
    WHERE ${visibleTo(principal, TASK_SCOPE, hasFiles)}`;
}

/** True when a task of a visible vehicle names the file. */
export async function isFileReferenced(db: Database, principal: Principal, id: number): Promise<boolean> {
  const { holds } = onlyRow(await selectWhether(db, sql`${id} IN (${namedFiles(principal)})`));
  return holds;
}
