import { eq } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { formColumns } from "../../form/queries.ts";
import { form } from "../../table/form/form.ts";
import { task } from "../../table/task/task.ts";
import { selectStopsPage, stopsOfRoute, toStopsPage } from "../checkpoint/list-queries.ts";
import { isFormOfTask, routeColumns } from "../list-queries.ts";

/** A task, a checkpoint, or a route with the pages of its checkpoints. */
export async function requireAnyTask(db: Database, principal: Principal, id: number) {
  const stops = stopsOfRoute(id);
  const found = await read(db, {
    rows: db
      .select({ ...routeColumns, form: formColumns })
      .from(task)
      .leftJoin(form, isFormOfTask)
      .where(visibleTo(principal, task, eq(task.id, id))),
    checkpoints: selectStopsPage(db, principal, stops),
  });
  const [row] = found.rows;
  if (!row) throw new ApiError(201);
  return { row, checkpoints: toStopsPage(db, principal, stops, found.checkpoints) };
}
