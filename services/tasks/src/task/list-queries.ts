import { asc, count, eq, getTableColumns, gt, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { only } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Part } from "#shared/operation/list-answer.ts";
import { ofRow, type TYPES, task } from "../table/task.ts";
import { carriesAll, tagsOf } from "../tag-binding/queries.ts";
import { type Crew, crewTable, NOBODY, ofCrew } from "./search-queries.ts";

/** A task, a route with its checkpoints, or a checkpoint. */
export async function requireAny(db: Database, principal: Principal, id: number) {
  const { rows, checkpoints } = await read(db, {
    rows: db
      .select(shownRoute)
      .from(task)
      .where(visibleTo(principal, task, eq(task.id, id))),
    checkpoints: db
      .select(shown)
      .from(task)
      .where(visibleTo(principal, task, eq(task.parent_id, id)))
      .orderBy(task.order, task.id),
  });
  const [row] = rows;
  if (!row) throw new ApiError(201);
  return { row, checkpoints };
}

export async function countVisibleTasks(db: Database, principal: Principal) {
  return only(await db.select({ count: count() }).from(task).where(ofType(principal, "task"))).count;
}

type TaskSearch = { condition: (SQL | undefined)[]; crew?: Crew; order: SQL[] } & Part;

/** A page of those of the type that the caller sees, and how many there are of them. */
export async function selectPage(
  db: Database,
  principal: Principal,
  type: (typeof TYPES)[number],
  { condition, crew = NOBODY, order, limit = PAGE, offset }: TaskSearch,
) {
  const visible = ofType(principal, type, ...condition);
  const { rows, counted } = await read(db, {
    rows: db
      .select(shown)
      .from(task)
      .leftJoin(crewTable(crew), ofCrew)
      .where(visible)
      .orderBy(...order)
      .limit(Math.min(limit, PAGE))
      .offset(offset),
    counted: db.select({ count: count() }).from(task).leftJoin(crewTable(crew), ofCrew).where(visible),
  });
  return { rows, count: only(counted).count };
}

/** Those that carry all of the tags, by id; routes and checkpoints carry tags as tasks do. */
export async function selectTagged(db: Database, principal: Principal, tags: number[], after: number) {
  const rows = await db
    .select(shownRoute)
    .from(task)
    .where(visibleTo(principal, task, gt(task.id, after), carriesAll(principal, "task", task.id, tags)))
    .orderBy(asc(task.id))
    .limit(PAGE);
  return { rows, isLast: rows.length < PAGE };
}

export function ofType(principal: Principal, type: (typeof TYPES)[number], ...conditions: (SQL | undefined)[]) {
  return visibleTo(principal, task, eq(task.type, type), ...conditions);
}

const {
  revision,
  lat,
  lng,
  deadline,
  schedule_id,
  schedule_date,
  label_folded,
  description_folded,
  address_folded,
  external_id_folded,
  ...columns
} = getTableColumns(task);
/** What callers see of a task, with its tags. */
export const shown = { ...columns, tags: tagsOf("task", task.id) };
/** The same of a route, with the ids of its checkpoints in order. */
export const shownRoute = {
  ...shown,
  checkpoint_ids: sql<number[]>`(SELECT json_group_array(id) FROM (SELECT stop.id FROM ${task} AS stop
    WHERE stop.account_id = ${ofRow.account_id} AND stop.parent_id = ${ofRow.id} ORDER BY stop."order"))`.mapWith(
    JSON.parse,
  ),
};
/** Some 5 MB of answer at the most. */
export const PAGE = 500;
