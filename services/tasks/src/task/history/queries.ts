import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand, read } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type ListWindow, pageAt } from "#shared/operation/list-answer.ts";
import { task } from "../../table/task/task.ts";
import { taskHistory } from "../../table/task/task-history.ts";
import { toEntry } from "./schema.ts";

/** The history of a task, oldest first, page after page. Callers who see the task see all of it. */
export async function selectHistory(db: Database, principal: Principal, task_id: number) {
  const own = visibleTo(principal, task, eq(task.id, task_id));
  const readAt = ({ offset }: ListWindow) =>
    db
      .select(getTableColumns(taskHistory))
      .from(taskHistory)
      .innerJoin(task, eq(task.id, taskHistory.task_id))
      .where(and(own, visibleTo(principal, taskHistory, eq(taskHistory.task_id, task_id))))
      .orderBy(asc(taskHistory.id))
      .limit(MAX_ROWS_PER_PAGE)
      .offset(offset);
  const { rows } = await read(db, {
    isThere: demand(sql`EXISTS (SELECT 1 FROM ${task} WHERE ${own})`, () => new ApiError(201)),
    rows: readAt({ offset: 0 }),
  });
  return pageAt(
    rows,
    { offset: 0 },
    { size: MAX_ROWS_PER_PAGE, read: async (window: ListWindow) => readAt(window), toItem: toEntry },
  );
}

/** Bounds a page to about 5 MB of answer. */
const MAX_ROWS_PER_PAGE = 500;
