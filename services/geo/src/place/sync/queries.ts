import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { SyncCursor } from "#shared/contract/sync.ts";
import type { Database } from "#shared/database/open.ts";
import { read } from "#shared/database/steps.ts";
import { place } from "../../table/place/place.ts";
import { placeChange } from "../../table/place/place-change.ts";
import { placeRevision } from "../../table/place/place-revision.ts";
import { isBoundTo } from "../../zone/visible-queries.ts";
import { selectWeighedIds } from "../../zone/weighed-queries.ts";
import { PLACE_COLUMNS, visiblePlaces } from "../list-queries.ts";

/** Data of a page: `window` has the next changes in the order of their keys, `places` the ones the caller sees. */
export async function selectChanges(db: Database, principal: Principal, { revision, after }: SyncCursor) {
  const { account_id } = principal;
  const window = after === null ? selectChangesAfter(principal, revision) : selectPlacesAfter(principal, after);
  const rows = await read(db, {
    heads: db.select().from(placeRevision).where(eq(placeRevision.account_id, account_id)),
    access: db
      .select({ revision: placeChange.revision })
      .from(placeChange)
      .where(and(isForUser(principal, principal.user_id), eq(placeChange.place_id, 0))),
    window: db.select({ id: COLUMNS.id, key: COLUMNS.key }).from(sql`(${window}) AS changed`).orderBy(COLUMNS.key),
    places: selectPlacesIn(db, principal, window, after === null ? selectLastKey(window) : sql`${place.id}`),
  });
  const head = rows.heads[0];
  return {
    ...{ window: rows.window, places: rows.places },
    revision: head?.revision ?? 0,
    forgotten: head?.forgotten ?? 0,
    /** The revision at which the caller got or lost access to all places. */
    access: rows.access[0]?.revision ?? 0,
  };
}
export type Changes = Awaited<ReturnType<typeof selectChanges>>;

/** The caller's places of the window, as many as fit into an answer. */
function selectPlacesIn(db: Database, principal: Principal, window: SQL, key: SQL) {
  const condition = visiblePlaces(principal, sql`${place.id} IN (SELECT changed.id FROM (${window}) AS changed)`);
  const weight = sql`${place.bytes} + ${place.field_bytes}`;
  const weighed = selectWeighedIds(db, place, weight, { condition, by: key, offset: 0 });
  return db
    .select({ ...PLACE_COLUMNS, key: weighed.rank, candidates: weighed.candidates })
    .from(weighed.table)
    .innerJoin(place, eq(place.id, weighed.id))
    .where(weighed.fits)
    .orderBy(weighed.ordinal);
}

/** The key of a place's last change in the window. */
function selectLastKey(window: SQL) {
  return sql`(SELECT max(changed.key) FROM (${window}) AS changed WHERE changed.id = ${place.id})`;
}

/** The next changes of places that the caller sees, and of places that were shared with it or hidden from it. */
function selectChangesAfter(principal: Principal, revision: number) {
  const { kind, user_id } = principal;
  const isNext = gt(placeChange.revision, revision);
  const visible = kind === "subuser" ? isBoundTo(user_id, "place", placeChange.place_id) : undefined;
  const ofAll = selectPlaceChanges(and(isForUser(principal, 0), isNext, visible));
  const own = selectPlaceChanges(and(isForUser(principal, user_id), isNext));
  return sql`SELECT * FROM (${ofAll}) UNION ALL SELECT * FROM (${own}) ORDER BY key LIMIT ${MAX_CHANGES_PER_PAGE}`;
}

function selectPlaceChanges(condition: SQL | undefined) {
  return sql`SELECT ${placeChange.place_id} AS id, ${placeChange.revision} AS key FROM ${placeChange}
    WHERE ${condition} ORDER BY ${placeChange.revision} LIMIT ${MAX_CHANGES_PER_PAGE}`;
}

/** The next of all places that the caller sees. */
function selectPlacesAfter(principal: Principal, after: number) {
  return sql`SELECT ${place.id} AS id, ${place.id} AS key FROM ${place}
    WHERE ${visiblePlaces(principal, gt(place.id, after))} ORDER BY ${place.id} LIMIT ${MAX_CHANGES_PER_PAGE}`;
}

function isForUser({ account_id }: Principal, sub_user_id: number) {
  return and(eq(placeChange.account_id, account_id), eq(placeChange.sub_user_id, sub_user_id));
}

const COLUMNS = { id: sql<number>`changed.id`, key: sql<number>`changed.key` };
export const MAX_CHANGES_PER_PAGE = 500;
