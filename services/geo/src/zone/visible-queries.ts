import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among, callerOf, visibleTo, visibleToCaller } from "#shared/database/scope.ts";
import { subUserAccess } from "../table/sub-user-access.ts";
import { type SharedType, subUserBinding } from "../table/sub-user-binding.ts";

/** `visibleTo` for places and zones: a sub-user sees those that are bound to it, or all. */
export function visibleThings(
  principal: Principal,
  type: SharedType,
  table: { id: SQLiteColumn; account_id: SQLiteColumn },
  ...conditions: (SQL | undefined)[]
) {
  const bound = principal.kind === "subuser" ? isBoundTo(principal.user_id, type, table.id) : undefined;
  return visibleTo(principal, table, bound, ...conditions);
}

/** `visibleThings` for a prepared statement: who calls is told by `viewerOf` when it runs. */
export function visibleToViewer(
  type: SharedType,
  table: { id: SQLiteColumn; account_id: SQLiteColumn },
  ...conditions: (SQL | undefined)[]
) {
  const sub_user_id = sql.placeholder("sub_user_id");
  const bound = sql`(${sub_user_id} IS NULL OR ${isBoundTo(sub_user_id, type, table.id)})`;
  return visibleToCaller(table, bound, ...conditions);
}

/** The values of a prepared statement's `visibleToViewer`. */
export function viewerOf(principal: Principal) {
  return { ...callerOf(principal), sub_user_id: principal.kind === "subuser" ? principal.user_id : null };
}

/** A sub-user's id, or where a prepared statement has it. */
type SubUser = number | Placeholder;

/** That the sub-user sees it. */
export function isBoundTo(sub_user_id: SubUser, type: SharedType, id: SQLiteColumn) {
  return sql`(${hasAccess(sub_user_id, type)} OR ${id} IN (${selectBoundIds(sub_user_id, type)}))`;
}

function selectBoundIds(sub_user_id: SubUser, type: SharedType) {
  return sql`SELECT ${subUserBinding.thing_id} FROM ${subUserBinding}
    WHERE ${subUserBinding.sub_user_id} = ${sub_user_id} AND ${subUserBinding.type} = ${type}`;
}

/** That the sub-user sees all of them. */
function hasAccess(sub_user_id: SubUser, type: SharedType) {
  return sql`EXISTS (SELECT 1 FROM ${subUserAccess}
    WHERE ${subUserAccess.sub_user_id} = ${sub_user_id} AND ${subUserAccess.type} = ${type})`;
}

/** When a thing was bound to the sub-user; null where it is seen without. */
export function selectAssignedDate(sub_user_id: number, type: SharedType, id: SQLiteColumn) {
  return sql`(SELECT ${subUserBinding.assigned_date} FROM ${subUserBinding}
    WHERE ${subUserBinding.sub_user_id} = ${sub_user_id} AND ${subUserBinding.type} = ${type}
    AND ${subUserBinding.thing_id} = ${id})`;
}

/** Whether the sub-user sees all of them. */
export function selectAccess(db: Database, sub_user_id: number, type: SharedType) {
  return db.select({ to_all: sql<number>`${hasAccess(sub_user_id, type)}` }).from(sql`(SELECT 1)`);
}

/** For the transaction that inserts a thing: a sub-user goes on seeing what it made. */
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

/** Behind the deletion of things: what was bound to those that are removed. */
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
