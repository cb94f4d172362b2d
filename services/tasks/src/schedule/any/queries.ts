import { asc, eq, gt, type SQL } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type Page, pageAfter } from "#shared/operation/list-answer.ts";
import { taskSchedule } from "../../table/task-schedule.ts";
import { shown } from "../queries.ts";
import { type AnySchedule, toAny } from "./schema.ts";

/** A schedule of a task, of a route with those of its checkpoints, or of a checkpoint. */
export async function requireSchedule(db: Database, principal: Principal, id: number) {
  const { rows, checkpoints } = await read(db, {
    rows: db
      .select(shown)
      .from(taskSchedule)
      .where(visibleTo(principal, taskSchedule, eq(taskSchedule.id, id))),
    // A route has 500 at most.
    checkpoints: db
      .select(shown)
      .from(taskSchedule)
      .where(visibleTo(principal, taskSchedule, eq(taskSchedule.parent_id, id)))
      .orderBy(asc(taskSchedule.order)),
  });
  const [row] = rows;
  if (!row) throw new ApiError(201);
  return { row, checkpoints };
}

/** By id, page after page. */
export async function selectSchedules(
  db: Database,
  principal: Principal,
  condition: SQL | undefined,
  after = 0,
): Promise<Page<AnySchedule>> {
  const rows = await db
    .select(shown)
    .from(taskSchedule)
    .where(visibleTo(principal, taskSchedule, gt(taskSchedule.id, after), condition))
    .orderBy(asc(taskSchedule.id))
    .limit(PAGE);
  return pageAfter(rows, {
    size: PAGE,
    toItem: toAny,
    next: (last) => selectSchedules(db, principal, condition, last),
  });
}

/** Some 5 MB of answer at the most. */
const PAGE = 500;
