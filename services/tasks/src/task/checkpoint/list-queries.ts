import { asc, count, eq, type SQL } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import type { ListWindow, Page } from "#shared/operation/list-answer.ts";
import { weighedPage } from "../../page/weighed-queries.ts";
import { task } from "../../table/task.ts";
import { candidate, type FormedRow, ofType, PAGE, withForm, withForms } from "../list-queries.ts";
import { type Checkpoint, toCheckpoint } from "./schema.ts";

/** Those of the ids, by id; the first page with the count of all, then page after page. */
export async function selectCheckpoints(db: Database, principal: Principal, ids: number[]) {
  const search = { condition: among(task.id, ids), order: [asc(task.id)] };
  const { rows, counted } = await read(db, {
    rows: pageOfStops(db, principal, search),
    counted: db
      .select({ count: count() })
      .from(task)
      .where(ofType(principal, "checkpoint", search.condition)),
  });
  return { count: onlyRow(counted).count, page: stopsFrom(db, principal, search, rows) };
}

type StopSearch = { condition: SQL; order: SQL[] };

/** The checkpoints of a route in their order. */
export function ofRoute(route_id: number): StopSearch {
  return { condition: eq(task.parent_id, route_id), order: [asc(task.order), asc(task.id)] };
}

export function pageOfStops(
  db: Database,
  principal: Principal,
  { condition, order }: StopSearch,
  { offset }: ListWindow = START,
) {
  const ids = db
    .select(candidate)
    .from(task)
    .where(ofType(principal, "checkpoint", condition))
    .orderBy(...order)
    .limit(PAGE)
    .offset(offset);
  return withForms(db, ids.getSQL());
}

/** The first page, of these rows, and those behind it. */
export function stopsFrom(db: Database, principal: Principal, search: StopSearch, rows: FormedRow[]): Page<Checkpoint> {
  const next = async (part: ListWindow) => pageOfStops(db, principal, search, part);
  const toItem = (row: FormedRow) => toCheckpoint(withForm(row));
  return weighedPage(rows, START, { size: PAGE, read: next, toItem });
}

const START: ListWindow = { offset: 0 };
