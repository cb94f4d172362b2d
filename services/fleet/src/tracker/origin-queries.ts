import { eq, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { ApiError, type ErrorCode } from "#shared/error/api-error.ts";
import { tariff } from "../table/registration/tariff.ts";
import { source } from "../table/tracker/source.ts";
import { tracker } from "../table/tracker/tracker.ts";

/** A tracker with its original (`feed_id`), to which sensors, counters and points of a clone belong. */
export type UsableTracker = Awaited<ReturnType<typeof selectUsable>>[number];

/** Ids of trackers, or a subquery that selects them. */
export type IdSet = number[] | SQL;

/** The query for those of the trackers that the principal sees. */
export function selectUsable(db: Database, principal: Principal, ids: IdSet) {
  return selectUsableWhere(db, visibleTo(principal, TRACKER_SCOPE, isOneOf(ids)));
}

/** The query for trackers of any account, for sweeps, which have no principal. */
export function selectAnyUsable(db: Database, ids: IdSet) {
  return selectUsableWhere(db, isOneOf(ids));
}

function selectUsableWhere(db: Database, condition: SQL | undefined) {
  return db
    .select({
      tracker_id: tracker.id,
      model: source.model,
      clone: tracker.clone,
      blocked: source.blocked,
      feed_id: origin.id,
      feed_account_id: origin.account_id,
      store_period: tariff.store_period,
    })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .innerJoin(tariff, eq(tariff.id, source.tariff_id))
    .innerJoin(origin, sql`${origin.source_id} = ${source.id} AND NOT ${origin.clone}`)
    .where(condition);
}

/** Condition: the row belongs to one of the trackers that the principal sees, or to the original of one. */
export function isOnOriginal(principal: Principal, table: TrackerTable, ids: IdSet): SQL {
  return isOnOriginalWhere(table, visibleTo(principal, TRACKER_SCOPE, isOneOf(ids)));
}

/** Condition for sweeps, which have no principal: the row belongs to one of the trackers, or to the original of one. */
export function isOnAnyOriginal(table: TrackerTable, ids: IdSet): SQL {
  return isOnOriginalWhere(table, isOneOf(ids));
}

type TrackerTable = { account_id: SQLiteColumn; tracker_id: SQLiteColumn };

function isOnOriginalWhere(table: TrackerTable, condition: SQL | undefined): SQL {
  return sql`(${table.account_id}, ${table.tracker_id}) IN (SELECT original.account_id, original.id
    FROM ${tracker} JOIN ${tracker} AS original ON original.source_id = ${tracker.source_id} AND NOT original.clone
    WHERE ${condition})`;
}

/** Condition: the principal sees the tracker, and the further conditions on `tracker` and `source` hold. */
export function isVisible(principal: Principal, id: number, ...conditions: (SQL | undefined)[]): SQL {
  const condition = visibleTo(principal, TRACKER_SCOPE, eq(tracker.id, id), ...conditions);
  return sql`EXISTS (SELECT 1 FROM ${tracker} JOIN ${source} ON ${source.id} = ${tracker.source_id} WHERE ${condition})`;
}

/** Condition: the principal sees the tracker, which is no clone. */
export function isOwn(principal: Principal, id: number): SQL {
  return isVisible(principal, id, eq(tracker.clone, false));
}

/** The tracker; throws `missing` when the principal does not see it, 208 when it is blocked. */
export function requireUsable([row]: UsableTracker[], missing: ErrorCode): UsableTracker {
  if (!row) throw new ApiError(missing);
  if (row.blocked) throw new ApiError(208);
  return row;
}

/**
 * The tracker to be changed; throws `missing` when the principal does not see it, 208 when it is blocked, 219 for a
 * clone.
 */
export function requireOriginal(rows: UsableTracker[], missing: ErrorCode): UsableTracker {
  const row = requireUsable(rows, missing);
  if (row.clone) throw new ApiError(219);
  return row;
}

/** The trackers; 217 unless the principal sees all of `ids` and none is blocked. */
export function requireAllUsable(rows: UsableTracker[], ids: number[]): UsableTracker[] {
  const usable = new Set(rows.filter(({ blocked }) => !blocked).map(({ tracker_id }) => tracker_id));
  if (!ids.every((id) => usable.has(id))) throw new ApiError(217);
  return rows;
}

function isOneOf(ids: IdSet): SQL {
  return Array.isArray(ids) ? among(tracker.id, ids) : sql`${tracker.id} IN (${ids})`;
}

const TRACKER_SCOPE = { account_id: tracker.account_id, tracker_id: tracker.id };
const origin = alias(tracker, "origin");
