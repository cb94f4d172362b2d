import { eq } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { shownForm } from "../../form/queries.ts";
import { form } from "../../table/form.ts";
import { task } from "../../table/task.ts";
import { ofRoute, pageOfStops, stopsFrom } from "../checkpoint/list-queries.ts";
import { ofTask, shownRoute } from "../list-queries.ts";

/** A task, a route, or a checkpoint; with what are its checkpoints, page after page. */
export async function requireAny(db: Database, principal: Principal, id: number) {
  const stops = ofRoute(id);
  const found = await read(db, {
    rows: db
      .select({ ...shownRoute, form: shownForm })
      .from(task)
      .leftJoin(form, ofTask)
      .where(visibleTo(principal, task, eq(task.id, id))),
    checkpoints: pageOfStops(db, principal, stops),
  });
  const [row] = found.rows;
  if (!row) throw new ApiError(201);
  return { row, checkpoints: stopsFrom(db, principal, stops, found.checkpoints) };
}
