import { and, asc, count, eq, getTableColumns, gt, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { type Database, prepareOnce } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { callerOf, visibleTo, visibleToCaller } from "#shared/database/scope.ts";
import { demandSearchable } from "#shared/database/search-size.ts";
import { read } from "#shared/database/steps.ts";
import { carriesRequestedTags, requestedTags } from "#shared/database/tag-binding/requested-tags.ts";
import { weighCandidates } from "#shared/database/weigh-candidates.ts";
import type { ListWindow } from "#shared/operation/list-answer.ts";
import { formColumns } from "../form/queries.ts";
import { form } from "../table/form/form.ts";
import { searchSize } from "../table/search-size.ts";
import { tagBinding } from "../table/tag/tag-binding.ts";
import { outerTask, type TYPES, task } from "../table/task/task.ts";
import { tagsOf } from "../tag-binding/queries.ts";
import { type Crew, crewTable, EMPTY_CREW, isOfCrew } from "./search-queries.ts";

export async function countVisibleTasks(db: Database, principal: Principal) {
  return onlyRow(await db.select({ count: count() }).from(task).where(isOfType(principal, "task"))).count;
}

type TaskSearch = {
  condition: (SQL | undefined)[];
  /** Number of searched texts, which limits how many tasks may be searched. */
  texts?: number;
  crew?: Crew;
  order: SQL[];
} & ListWindow;

/** The first page of the visible tasks, and the count of all pages. */
export async function selectFirstPage(db: Database, principal: Principal, search: TaskSearch) {
  const searchable = demandSearchable(searchSize, principal, search.texts ?? 0);
  const isSearched = search.condition.some((one) => one !== undefined);
  if (isSearched && search.offset === 0 && search.limit !== 0) {
    // One query counts and selects, because searching all tasks twice takes twice as long. No row means no task.
    const { found } = await read(db, { searchable, found: selectPage(db, principal, search, sql`count(*) OVER ()`) });
    return { rows: found, count: found[0]?.total ?? 0 };
  }
  const crew = crewTable(search.crew ?? EMPTY_CREW);
  const { rows, counted } = await read(db, {
    searchable,
    rows: selectPage(db, principal, search, UNKNOWN_TOTAL),
    counted: db
      .select({ count: count() })
      .from(task)
      .leftJoin(crew, isOfCrew)
      .where(isOfType(principal, "task", ...search.condition)),
  });
  return { rows, count: onlyRow(counted).count };
}

/** A page after the first one. */
export async function selectNextPage(db: Database, principal: Principal, search: TaskSearch) {
  return selectPage(db, principal, search, UNKNOWN_TOTAL);
}

function selectPage(
  db: Database,
  principal: Principal,
  { condition, crew = EMPTY_CREW, order, limit = MAX_ROWS_PER_PAGE, offset }: TaskSearch,
  total: SQL<number | null>,
) {
  // Sorts only the columns of the order; rows are fetched for the tasks of the page.
  const ids = db
    .select({ ...candidateColumns, total: total.as("total") })
    .from(task)
    .leftJoin(crewTable(crew), isOfCrew)
    .where(isOfType(principal, "task", ...condition))
    .orderBy(...order)
    .limit(Math.min(limit, MAX_ROWS_PER_PAGE))
    .offset(offset);
  return selectWithForms(db, ids.getSQL());
}

/** The tasks with these ids in their order, as many as a page may hold by the bytes of their forms. */
export function selectWithForms(db: Database, ids: SQL) {
  const weighed = weighCandidates(ids, formBytes);
  return db
    .select({ row: taskColumns, form: formColumns, total: weighed.total, candidates: weighed.candidates })
    .from(weighed.table)
    .innerJoin(task, eq(task.id, weighed.id))
    .leftJoin(form, isFormOfTask)
    .where(weighed.fits)
    .orderBy(weighed.ordinal);
}
export type RowWithForm = Awaited<ReturnType<typeof selectWithForms>>[number];

export function mergeForm({ row, form }: RowWithForm) {
  return { ...row, form };
}

/** Tasks, routes and checkpoints that carry all of the tags, by id. */
export async function selectTagged(db: Database, principal: Principal, tags: number[], after: number) {
  const rows = await preparedTagged(db).all({ ...callerOf(principal), ...requestedTags(tags), after });
  return { rows, isLast: rows.length < MAX_ROWS_PER_PAGE };
}
const preparedTagged = prepareOnce((db) =>
  db
    .select(routeColumns)
    .from(task)
    .where(
      visibleToCaller(task, gt(task.id, sql.placeholder("after")), carriesRequestedTags(tagBinding, "task", task.id)),
    )
    .orderBy(asc(task.id))
    .limit(MAX_ROWS_PER_PAGE)
    .prepare(),
);

export function isOfType(principal: Principal, type: (typeof TYPES)[number], ...conditions: (SQL | undefined)[]) {
  return visibleTo(principal, task, eq(task.type, type), ...conditions);
}

/** Joins a task to its form. */
export const isFormOfTask = and(eq(form.account_id, task.account_id), eq(form.task_id, task.id));

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
  ...plainColumns
} = getTableColumns(task);
/** The columns of a task that callers see, with its tags. */
export const taskColumns = { ...plainColumns, tags: tagsOf("task", task.id) };
/** The columns of a route that callers see, with its tags and the ids of its checkpoints in order. */
export const routeColumns = {
  ...taskColumns,
  checkpoint_ids: sql<number[]>`(SELECT json_group_array(id) FROM (SELECT stop.id FROM ${task} AS stop
    WHERE stop.account_id = ${outerTask.account_id} AND stop.parent_id = ${outerTask.id} ORDER BY stop."order"))`.mapWith(
    JSON.parse,
  ),
};
const UNKNOWN_TOTAL = sql<null>`NULL`;
/** The columns that `weighCandidates` needs. */
export const candidateColumns = { id: task.id, account_id: task.account_id, total: UNKNOWN_TOTAL.as("total") };
/** Bytes of the form of a candidate. */
export const formBytes = sql`coalesce((SELECT own.bytes FROM ${form} AS own
  WHERE own.account_id = candidate.account_id AND own.task_id = candidate.id), 0)`;
/** Bounds a page to about 5 MB of answer, without forms. */
export const MAX_ROWS_PER_PAGE = 500;
