import { asc, count, eq, type SQL } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { type ListWindow, type Page, pageAt } from "#shared/operation/list-answer.ts";
import { task } from "../../table/task/task.ts";
import {
  candidateColumns,
  isOfType,
  MAX_ROWS_PER_PAGE,
  mergeForm,
  type RowWithForm,
  selectWithForms,
} from "../list-queries.ts";
import { type Checkpoint, toCheckpoint } from "./schema.ts";

/** The visible checkpoints among the ids, by id: the first page with the count of all, then page after page. */
export async function selectCheckpoints(db: Database, principal: Principal, ids: number[]) {
  const search = { condition: among(task.id, ids), order: [asc(task.id)] };
  const { rows, counted } = await read(db, {
    rows: selectStopsPage(db, principal, search),
    counted: db
      .select({ count: count() })
      .from(task)
      .where(isOfType(principal, "checkpoint", search.condition)),
  });
  return { count: onlyRow(counted).count, page: toStopsPage(db, principal, search, rows) };
}

type StopSearch = { condition: SQL; order: SQL[] };

/** Searches the checkpoints of a route in their order. */
export function stopsOfRoute(route_id: number): StopSearch {
  return { condition: eq(task.parent_id, route_id), order: [asc(task.order), asc(task.id)] };
}

export function selectStopsPage(
  db: Database,
  principal: Principal,
  { condition, order }: StopSearch,
  { offset }: ListWindow = FIRST_WINDOW,
) {
  const ids = db
    .select(candidateColumns)
    .from(task)
    .where(isOfType(principal, "checkpoint", condition))
    .orderBy(...order)
    .limit(MAX_ROWS_PER_PAGE)
    .offset(offset);
  return selectWithForms(db, ids.getSQL());
}

/** The first page, made of these rows, and the pages after it. */
export function toStopsPage(
  db: Database,
  principal: Principal,
  search: StopSearch,
  rows: RowWithForm[],
): Page<Checkpoint> {
  const next = async (window: ListWindow) => selectStopsPage(db, principal, search, window);
  const toItem = (row: RowWithForm) => toCheckpoint(mergeForm(row));
  return pageAt(rows, FIRST_WINDOW, { size: MAX_ROWS_PER_PAGE, read: next, toItem });
}

const FIRST_WINDOW: ListWindow = { offset: 0 };
