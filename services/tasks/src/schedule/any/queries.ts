import { asc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { type Database, prepareOnce } from "#shared/database/open.ts";
import { callerOf, visibleTo, visibleToCaller } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { carriesRequestedTags, requestedTags } from "#shared/database/tag-binding/requested-tags.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type Page, pageAfter } from "#shared/operation/list-answer.ts";
import { taskSchedule } from "../../table/schedule/task-schedule.ts";
import { tagBinding } from "../../table/tag/tag-binding.ts";
import { scheduleColumns } from "../queries.ts";
import { type AnySchedule, toAnySchedule } from "./schema.ts";

/** The schedule of a task, route or checkpoint. A route comes with the schedules of its checkpoints. */
export async function requireAnySchedule(db: Database, principal: Principal, id: number) {
  const { rows, checkpoints } = await read(db, {
    rows: db
      .select(scheduleColumns)
      .from(taskSchedule)
      .where(visibleTo(principal, taskSchedule, eq(taskSchedule.id, id))),
    // A route has at most 500 checkpoints: no page is needed.
    checkpoints: db
      .select(scheduleColumns)
      .from(taskSchedule)
      .where(visibleTo(principal, taskSchedule, eq(taskSchedule.parent_id, id)))
      .orderBy(asc(taskSchedule.order)),
  });
  const [row] = rows;
  if (!row) throw new ApiError(201);
  return { row, checkpoints };
}

/** Visible schedules by id, page after page. */
export async function selectSchedules(
  db: Database,
  principal: Principal,
  condition: SQL | undefined,
  after = 0,
): Promise<Page<AnySchedule>> {
  const rows = await db
    .select(scheduleColumns)
    .from(taskSchedule)
    .where(visibleTo(principal, taskSchedule, gt(taskSchedule.id, after), condition))
    .orderBy(asc(taskSchedule.id))
    .limit(MAX_ROWS_PER_PAGE);
  return pageAfter(rows, {
    size: MAX_ROWS_PER_PAGE,
    toItem: toAnySchedule,
    next: (last) => selectSchedules(db, principal, condition, last),
  });
}

/** A page of the schedules that carry all of the tags, by id, for the search over all services. */
export async function selectTagged(db: Database, principal: Principal, tags: number[], after: number) {
  const rows = await preparedTagged(db).all({ ...callerOf(principal), ...requestedTags(tags), after });
  return { items: rows.map(toAnySchedule), after: rows.length < MAX_ROWS_PER_PAGE ? undefined : rows.at(-1)?.id };
}
const preparedTagged = prepareOnce((db) => {
  const carries = carriesRequestedTags(tagBinding, "task_schedule", taskSchedule.id);
  return db
    .select(scheduleColumns)
    .from(taskSchedule)
    .where(visibleToCaller(taskSchedule, gt(taskSchedule.id, sql.placeholder("after")), carries))
    .orderBy(asc(taskSchedule.id))
    .limit(MAX_ROWS_PER_PAGE)
    .prepare();
});

/** Bounds a page to about 5 MB of answer. */
const MAX_ROWS_PER_PAGE = 500;
