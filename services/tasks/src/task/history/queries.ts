import { and, asc, eq, getTableColumns } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type Part, pageAt } from "#shared/operation/list-answer.ts";
import { task } from "../../table/task.ts";
import { taskHistory } from "../../table/task-history.ts";
import { toEntry } from "./schema.ts";

/** The oldest first, page after page. The task decides who sees it. */
export async function selectHistory(db: Database, principal: Principal, task_id: number) {
  const wanted = visibleTo(principal, taskHistory, eq(taskHistory.task_id, task_id));
  const isVisible = visibleTo(principal, task, eq(task.id, task_id));
  const read = ({ offset }: Part) =>
    db
      .select(getTableColumns(taskHistory))
      .from(taskHistory)
      .innerJoin(task, eq(task.id, taskHistory.task_id))
      .where(and(wanted, isVisible))
      .orderBy(asc(taskHistory.id))
      .limit(PAGE)
      .offset(offset);
  const [rows, known] = await db.batch([read({ offset: 0 }), db.select({ id: task.id }).from(task).where(isVisible)]);
  if (known.length === 0) throw new ApiError(201);
  return pageAt(rows, { offset: 0 }, { size: PAGE, read: async (part: Part) => read(part), toItem: toEntry });
}

/** Some 5 MB of answer at the most. */
const PAGE = 500;
