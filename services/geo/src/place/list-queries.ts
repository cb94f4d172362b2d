import { and, count, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { mentions } from "#shared/database/mentions.ts";
import { type Database, prepareOnce } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { demandSearchable } from "#shared/database/search-size.ts";
import { read } from "#shared/database/steps.ts";
import { carriesRequestedTags, requestedTags } from "#shared/database/tag-binding/requested-tags.ts";
import { metersBetween } from "#shared/geometry/distance.ts";
import { type ListWindow, mayHaveMore, type Page, pageAt } from "#shared/operation/list-answer.ts";
import type { Position } from "../point/schema.ts";
import { place } from "../table/place/place.ts";
import { searchSize } from "../table/search-size.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { isNearby } from "../zone/grid/nearby-queries.ts";
import { carriesAll, tagsOf } from "../zone/tag-queries.ts";
import {
  isBoundTo,
  selectAccess,
  selectAssignedDate,
  viewerOf,
  visibleThings,
  visibleToViewer,
} from "../zone/visible-queries.ts";
import { MAX_ROWS_PER_PAGE, type Order, type PageRequest, selectWeighedIds } from "../zone/weighed-queries.ts";
import { type Place, toPlace } from "./schema.ts";

export function visiblePlaces(principal: Principal, ...conditions: (SQL | undefined)[]) {
  return visibleThings(principal, "place", place, ...conditions);
}

/** Columns that places can be sorted by, besides custom fields. */
export const SORTABLE = {
  id: place.id,
  label: place.label_folded,
  description: place.description_folded,
  location: place.address_folded,
  external_id: place.external_id_folded,
} as const;
export type SortableName = keyof typeof SORTABLE;

type PlaceSearch = Order & { filter: string | null; tag_ids: number[]; limit?: number; offset: number };

/** The first page, with the number of all matching places. */
export async function selectPlaces(
  db: Database,
  principal: Principal,
  search: PlaceSearch & { place_ids: number[] | null; conditions: SQL | undefined; texts: number },
) {
  const { place_ids, conditions, texts, ...request } = search;
  const searchable = demandSearchable(searchSize, principal, texts);
  const isRequested = place_ids === null ? undefined : among(place.id, place_ids);
  const condition = and(matchesSearch(principal, search), isRequested, conditions);
  const first = { ...request, condition, total: sql<number>`count(*) OVER ()` };
  if ((search.filter || conditions) && search.offset === 0 && search.limit !== 0) {
    // Counted in the query of the rows, because searching all texts twice takes twice as long. No rows: the count is 0.
    const { rows } = await read(db, { searchable, rows: selectPlaceRows(db, first) });
    return { count: rows[0]?.total ?? 0, page: toPage(db, first, rows) };
  }
  const { rows, counted } = await read(db, {
    searchable,
    rows: selectPlaceRows(db, { ...request, condition }),
    counted: countOf(db, condition),
  });
  return { count: onlyRow(counted).count, page: toPage(db, { ...request, condition }, rows) };
}

/** The principal's places that its sub-user sees. */
export async function selectPlacesOf(
  db: Database,
  principal: Principal,
  sub_user_id: number,
  { order, ...search }: Omit<PlaceSearch, keyof Order> & { order: SortableName | "assigned_date" },
) {
  const condition = and(matchesSearch(principal, search), isBoundTo(sub_user_id, "place", place.id));
  const by = order === "assigned_date" ? selectAssignedDate(sub_user_id, "place", place.id) : SORTABLE[order];
  const request = { ...search, condition, by };
  const { rows, counted, access } = await read(db, {
    rows: selectPlaceRows(db, request),
    counted: countOf(db, condition),
    access: selectAccess(db, sub_user_id, "place"),
  });
  const head = { access_to_all: onlyRow(access).to_all === 1, count: onlyRow(counted).count };
  return { head, page: toPage(db, request, rows) };
}

/** Places whose circle contains the position, ordered by id in pages. */
export async function selectPlacesAt(
  db: Database,
  principal: Principal,
  position: Position,
  after = 0,
): Promise<Page<{ id: number; label: string }>> {
  const near = isNearby(principal, place, position);
  const { id, label, lat, lng, radius } = place;
  const rows = await db
    .select({ id, label, lat, lng, radius })
    .from(place)
    .where(visiblePlaces(principal, near, gt(place.id, after)))
    .orderBy(place.id)
    .limit(MAX_ROWS_AROUND);
  const last = rows.at(-1);
  const items = rows
    .filter((row) => metersBetween(row, position) <= row.radius)
    .map((row) => ({ id: row.id, label: row.label }));
  const hasNext = last && rows.length === MAX_ROWS_AROUND;
  return { items, next: hasNext ? () => selectPlacesAt(db, principal, position, last.id) : undefined };
}

/** A page of places with the tags, after the given id. */
export async function selectTaggedPlaces(db: Database, principal: Principal, tag_ids: number[], after: number) {
  const rows = await taggedPlaces(db).all({ ...viewerOf(principal), ...requestedTags(tag_ids), after });
  return { items: rows.map(toPlace), after: mayHaveMore(rows, MAX_ROWS_PER_PAGE) ? rows.at(-1)?.id : undefined };
}
const taggedPlaces = prepareOnce((db) => {
  const carries = carriesRequestedTags(tagBinding, "place", place.id);
  const condition = visibleToViewer("place", place, carries, gt(place.id, sql.placeholder("after")));
  return selectPlaceRows(db, { condition, offset: 0 }).prepare();
});

export function selectPlaceRows(db: Database, request: PageRequest) {
  const weighed = selectWeighedIds(db, place, sql`${place.bytes} + ${place.field_bytes}`, request);
  return db
    .select({ ...PLACE_COLUMNS, candidates: weighed.candidates, total: weighed.total })
    .from(weighed.table)
    .innerJoin(place, eq(place.id, weighed.id))
    .where(weighed.fits)
    .orderBy(weighed.ordinal);
}
type Row = Awaited<ReturnType<typeof selectPlaceRows>>[number];

function toPage(db: Database, request: PageRequest, rows: Row[]): Page<Place> {
  const read = async (window: ListWindow) => selectPlaceRows(db, { ...request, ...window, total: undefined });
  return pageAt(rows, request, { size: MAX_ROWS_PER_PAGE, read, toItem: toPlace });
}

function countOf(db: Database, condition: SQL | undefined) {
  return db.select({ count: count() }).from(place).where(condition);
}

function matchesSearch(principal: Principal, { filter, tag_ids }: Pick<PlaceSearch, "filter" | "tag_ids">) {
  return visiblePlaces(
    principal,
    filter ? containsText(principal, filter) : undefined,
    tag_ids.length > 0 ? carriesAll(principal, "place", place.id, tag_ids) : undefined,
  );
}

/**
 * Condition: a text of the place contains `filter`. A subquery, so that SQLite scans the index with the texts whatever
 * the list's order is.
 */
function containsText({ account_id }: Principal, filter: string) {
  return sql`${place.id} IN (SELECT ${place.id} FROM ${place} WHERE ${eq(place.account_id, account_id)}
    AND (${mentions(place.searched, filter)} OR ${mentions(place.searched_fields, filter)}))`;
}

const { id, icon_id, avatar_file_name, lat, lng, address, radius, fields, label, description, external_id } = place;
export const PLACE_COLUMNS = {
  ...{ id, icon_id, avatar_file_name, lat, lng, address, radius, fields, label, description, external_id },
  tags: tagsOf("place", place.id),
};
/** At most about 4 MB of labels. */
const MAX_ROWS_AROUND = 4000;
