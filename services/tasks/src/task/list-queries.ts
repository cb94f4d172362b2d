import { and, asc, count, eq, getTableColumns, gt, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { type Database, prepareOnce } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { callerOf, visibleTo, visibleToCaller } from "#shared/database/scope.ts";
import { demandSearchable } from "#shared/database/search-size.ts";
import { read } from "#shared/database/steps.ts";
import { carriesRequestedTags, requestedTags } from "#shared/database/tag-binding/requested-tags.ts";
import type { ListWindow } from "#shared/operation/list-answer.ts";
import { shownForm } from "../form/queries.ts";
import { weighedTable } from "../page/weighed-queries.ts";
import { form } from "../table/form.ts";
import { searchSize } from "../table/search-size.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { ofRow, type TYPES, task } from "../table/task.ts";
import { tagsOf } from "../tag-binding/queries.ts";
import { type Crew, crewTable, NOBODY, ofCrew } from "./search-queries.ts";

export async function countVisibleTasks(db: Database, principal: Principal) {
  return onlyRow(await db.select({ count: count() }).from(task).where(ofType(principal, "task"))).count;
}

type TaskSearch = {
  condition: (SQL | undefined)[];
  /** How many texts it is searched for. */
  texts?: number;
  crew?: Crew;
  order: SQL[];
} & ListWindow;

/** The first page of the tasks that the caller sees, and how many there are on all pages. */
export async function selectFirst(db: Database, principal: Principal, search: TaskSearch) {
  const searchable = demandSearchable(searchSize, principal, search.texts ?? 0);
  const isSearched = search.condition.some((one) => one !== undefined);
  if (isSearched && search.offset === 0 && search.limit !== 0) {
    // To look through all tasks twice takes twice as long. Without a row there is none.
    const { found } = await read(db, { searchable, found: pageOf(db, principal, search, sql`count(*) OVER ()`) });
    return { rows: found, count: found[0]?.total ?? 0 };
  }
  const crew = crewTable(search.crew ?? NOBODY);
  const { rows, counted } = await read(db, {
    searchable,
    rows: pageOf(db, principal, search, UNKNOWN),
    counted: db
      .select({ count: count() })
      .from(task)
      .leftJoin(crew, ofCrew)
      .where(ofType(principal, "task", ...search.condition)),
  });
  return { rows, count: onlyRow(counted).count };
}

/** A page behind the first. */
export async function selectNext(db: Database, principal: Principal, search: TaskSearch) {
  return pageOf(db, principal, search, UNKNOWN);
}

function pageOf(
  db: Database,
  principal: Principal,
  { condition, crew = NOBODY, order, limit = PAGE, offset }: TaskSearch,
  total: SQL<number | null>,
) {
  // The order's columns alone are sorted; the rows are fetched for those that the page shows.
  const ids = db
    .select({ ...candidate, total: total.as("total") })
    .from(task)
    .leftJoin(crewTable(crew), ofCrew)
    .where(ofType(principal, "task", ...condition))
    .orderBy(...order)
    .limit(Math.min(limit, PAGE))
    .offset(offset);
  return withForms(db, ids.getSQL());
}

/** The tasks of these ids, in their order, as many as a page holds with their forms. */
export function withForms(db: Database, ids: SQL) {
  const weighed = weighedTable(ids, formBytes);
  return db
    .select({ row: shown, form: shownForm, total: weighed.total, found: weighed.found })
    .from(weighed.table)
    .innerJoin(task, eq(task.id, weighed.id))
    .leftJoin(form, ofTask)
    .where(weighed.fits)
    .orderBy(weighed.place);
}
export type FormedRow = Awaited<ReturnType<typeof withForms>>[number];

export function withForm({ row, form }: FormedRow) {
  return { ...row, form };
}

/** Those that carry all of the tags, by id; routes and checkpoints carry tags as tasks do. */
export async function selectTagged(db: Database, principal: Principal, tags: number[], after: number) {
  const rows = await tagged(db).all({ ...callerOf(principal), ...requestedTags(tags), after });
  return { rows, isLast: rows.length < PAGE };
}
const tagged = prepareOnce((db) =>
  db
    .select(shownRoute)
    .from(task)
    .where(
      visibleToCaller(task, gt(task.id, sql.placeholder("after")), carriesRequestedTags(tagBinding, "task", task.id)),
    )
    .orderBy(asc(task.id))
    .limit(PAGE)
    .prepare(),
);

export function ofType(principal: Principal, type: (typeof TYPES)[number], ...conditions: (SQL | undefined)[]) {
  return visibleTo(principal, task, eq(task.type, type), ...conditions);
}

/** The form of the task, to be joined. */
export const ofTask = and(eq(form.account_id, task.account_id), eq(form.task_id, task.id));

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
const UNKNOWN = sql<null>`NULL`;
/** What a page is chosen from. */
export const candidate = { id: task.id, account_id: task.account_id, total: UNKNOWN.as("total") };
/** What a candidate's form weighs. */
export const formBytes = sql`coalesce((SELECT own.bytes FROM ${form} AS own
  WHERE own.account_id = candidate.account_id AND own.task_id = candidate.id), 0)`;
/** Some 5 MB of answer at the most, besides forms. */
export const PAGE = 500;
