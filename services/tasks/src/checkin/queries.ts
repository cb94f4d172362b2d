import { and, count, eq, gte, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { visibleSince } from "#shared/contract/tracker/stored-range.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demandSearchable } from "#shared/database/search-size.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { ListWindow } from "#shared/operation/list-answer.ts";
import { recordEachChange } from "../outbox/audit.ts";
import { checkin } from "../table/checkin.ts";
import { form } from "../table/form/form.ts";
import { searchSize } from "../table/search-size.ts";

/** Check-ins show where trackers were: a sub-user sees no older ones than the storage period of its group allows. */
export function isVisibleCheckin(principal: Principal, now: number, ...conditions: (SQL | undefined)[]) {
  const { store_period } = principal;
  const isStored = store_period === null ? undefined : gte(checkin.marker_time, visibleSince([store_period], now));
  return visibleTo(principal, checkin, isStored, ...conditions);
}

/** Deletes all of these check-ins, or none and throws 201. */
export async function removeCheckins(db: Database, principal: Principal, ids: number[], actor: Actor) {
  const own = isVisibleCheckin(principal, actor.action_date, among(checkin.id, ids));
  const entries = sql`SELECT ${checkin.id} AS id, json_object('tracker_id', ${checkin.tracker_id}) AS payload FROM ${checkin} WHERE ${own}`;
  const found = sql`(SELECT count(*) FROM ${checkin} WHERE ${own})`;
  await write(db, {
    areThere: demand(sql`${found} = ${new Set(ids).size}`, () => new ApiError(201)),
    recorded: recordEachChange(db, actor, { is: ["checkin", "delete"] }, entries),
    removed: db.delete(checkin).where(own),
  });
}

export async function requireCheckin(db: Database, principal: Principal, id: number, now: number) {
  const [row] = await db
    .select(checkinColumns)
    .from(checkin)
    .leftJoin(form, isFormOfCheckin)
    .where(isVisibleCheckin(principal, now, eq(checkin.id, id)));
  if (!row) throw new ApiError(204);
  return row;
}

export type CheckinSearch = { condition: (SQL | undefined)[]; texts: number; order: SQL[]; now: number };

/** The first page of the check-ins that the caller sees, and the count of all pages. */
export async function selectFirstPage(db: Database, principal: Principal, search: CheckinSearch & ListWindow) {
  const { rows, counted } = await read(db, {
    searchable: demandSearchable(searchSize, principal, search.texts),
    rows: selectPage(db, principal, search),
    counted: db
      .select({ count: count() })
      .from(checkin)
      .leftJoin(form, isFormOfCheckin)
      .where(isVisibleCheckin(principal, search.now, ...search.condition)),
  });
  return { rows, count: onlyRow(counted).count };
}

export function selectPage(db: Database, principal: Principal, search: CheckinSearch & ListWindow) {
  const { condition, order, now, limit = MAX_ROWS_PER_PAGE, offset } = search;
  return db
    .select(checkinColumns)
    .from(checkin)
    .leftJoin(form, isFormOfCheckin)
    .where(isVisibleCheckin(principal, now, ...condition))
    .orderBy(...order)
    .limit(Math.min(limit, MAX_ROWS_PER_PAGE))
    .offset(offset);
}

const isFormOfCheckin = and(eq(form.account_id, checkin.account_id), eq(form.checkin_id, checkin.id));
const checkinColumns = {
  id: checkin.id,
  account_id: checkin.account_id,
  tracker_id: checkin.tracker_id,
  employee_id: checkin.employee_id,
  employee_name: checkin.employee_name,
  marker_time: checkin.marker_time,
  location: checkin.location,
  comment: checkin.comment,
  file_ids: checkin.file_ids,
  form_id: form.id,
  form_label: form.label,
};
/** Bounds a page to about 5 MB of answer with its files. */
export const MAX_ROWS_PER_PAGE = 200;
