import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among, callerOf, visibleTo, visibleToCaller } from "#shared/database/scope.ts";
import { subUserAccess } from "../table/sub-user-access.ts";
import { type SharedType, subUserBinding } from "../table/sub-user-binding.ts";

/** `visibleTo` for places and zones: a sub-user sees those that are shared with it, or all. */
export function visibleThings(
  principal: Principal,
  type: SharedType,
  table: { id: SQLiteColumn; account_id: SQLiteColumn },
  ...conditions: (SQL | undefined)[]
) {
  const bound = principal.kind === "subuser" ? isBoundTo(principal.user_id, type, table.id) : undefined;
  return visibleTo(principal, table, bound, ...conditions);
}

/** `visibleThings` for a prepared statement: `viewerOf` gives the caller when the statement runs. */
export function visibleToViewer(
  type: SharedType,
  table: { id: SQLiteColumn; account_id: SQLiteColumn },
  ...conditions: (SQL | undefined)[]
) {
  const sub_user_id = sql.placeholder("sub_user_id");
  const bound = sql`(${sub_user_id} IS NULL OR ${isBoundTo(sub_user_id, type, table.id)})`;
  return visibleToCaller(table, bound, ...conditions);
}

/** Values of the placeholders of `visibleToViewer`. */
export function viewerOf(principal: Principal) {
  return { ...callerOf(principal), sub_user_id: principal.kind === "subuser" ? principal.user_id : null };
}

/** A sub-user's id, or its placeholder in a prepared statement. */
type SubUser = number | Placeholder;

/** Condition: the sub-user sees the zone or place. */
export function isBoundTo(sub_user_id: SubUser, type: SharedType, id: SQLiteColumn) {
  return sql`(${hasAccess(sub_user_id, type)} OR ${id} IN (${selectBoundIds(sub_user_id, type)}))`;
}

function selectBoundIds(sub_user_id: SubUser, type: SharedType) {
  return sql`SELECT ${subUserBinding.thing_id} FROM ${subUserBinding}
    WHERE ${subUserBinding.sub_user_id} = ${sub_user_id} AND ${subUserBinding.type} = ${type}`;
}

/** Condition: the sub-user sees all zones, or all places. */
function hasAccess(sub_user_id: SubUser, type: SharedType) {
  return sql`EXISTS (SELECT 1 FROM ${subUserAccess}
    WHERE ${subUserAccess.sub_user_id} = ${sub_user_id} AND ${subUserAccess.type} = ${type})`;
}

/** When the zone or place was shared with the sub-user; null: it is visible only by access to all. */
export function selectAssignedDate(sub_user_id: number, type: SharedType, id: SQLiteColumn) {
  return sql`(SELECT ${subUserBinding.assigned_date} FROM ${subUserBinding}
    WHERE ${subUserBinding.sub_user_id} = ${sub_user_id} AND ${subUserBinding.type} = ${type}
    AND ${subUserBinding.thing_id} = ${id})`;
}

/** Selects whether the sub-user sees all zones, or all places. */
export function selectAccess(db: Database, sub_user_id: number, type: SharedType) {
  return db.select({ to_all: sql<number>`${hasAccess(sub_user_id, type)}` }).from(sql`(SELECT 1)`);
}

/** Shares a new zone or place with the sub-user that created it, in the transaction that inserts it. */
export function bindToCreator(
  db: Database,
  { account_id, user_id, kind }: Principal,
  type: SharedType,
  newest: SQL,
  now: number,
) {
  if (kind !== "subuser") return [];
  return [
    db.insert(subUserBinding).values({ account_id, sub_user_id: user_id, type, thing_id: newest, assigned_date: now }),
  ];
}

/** Deletes the bindings of removed zones or places; runs after their deletion. */
export function unbindRemovedFromUsers(
  db: Database,
  type: SharedType,
  table: SQLiteTable,
  account_id: number,
  ids: number[],
) {
  return db
    .delete(subUserBinding)
    .where(
      and(
        eq(subUserBinding.account_id, account_id),
        eq(subUserBinding.type, type),
        among(subUserBinding.thing_id, ids),
        sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE id = ${subUserBinding.thing_id})`,
      ),
    );
}
