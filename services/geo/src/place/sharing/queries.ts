import { and, asc, eq, sql } from "drizzle-orm";
import { type Actor, someOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../audit-outbox.ts";
import { place } from "../../table/place/place.ts";
import { subUserAccess } from "../../table/sub-user-access.ts";
import { type SharedType, subUserBinding } from "../../table/sub-user-binding.ts";
import { zone } from "../../table/zone/zone.ts";
import { selectAccess, visibleThings } from "../../zone/visible-queries.ts";

export type SubUserBinding = { sub_user_id: number; ids: number[]; access_to_all?: boolean | null };

/** Shares the zones or places, or none if one is unknown. `access_to_all` is changed along with them if given. */
export async function bindThings(
  db: Database,
  principal: Principal,
  type: SharedType,
  binding: SubUserBinding,
  actor: Actor,
) {
  const { account_id } = principal;
  const { sub_user_id, ids } = binding;
  const things = sql`SELECT ${account_id}, ${sub_user_id}, ${type}, id, ${actor.action_date} FROM (${selectVisibleIds(principal, type, ids)})`;
  await write(db, {
    areThere: demandAll(principal, type, ids),
    access: writeAccess(db, principal, type, binding),
    bound: db.insert(subUserBinding).select(sql`${things} WHERE TRUE`).onConflictDoNothing(),
    recorded: recordChange(db, actor, toAuditChange("bind", type, binding), ALWAYS),
  });
}

/** Hides zones or places that were shared one by one; access to all stays. */
export async function unbindThings(
  db: Database,
  principal: Principal,
  type: SharedType,
  binding: SubUserBinding,
  actor: Actor,
) {
  const { sub_user_id, ids } = binding;
  await write(db, {
    areThere: demandAll(principal, type, ids),
    unbound: db
      .delete(subUserBinding)
      .where(and(isOfSubUser(principal, type, sub_user_id), among(subUserBinding.thing_id, ids))),
    recorded: recordChange(db, actor, toAuditChange("unbind", type, binding), ALWAYS),
  });
}

export async function selectBoundIds(db: Database, principal: Principal, type: SharedType, sub_user_id: number) {
  const { access, rows } = await read(db, {
    access: selectAccess(db, sub_user_id, type),
    rows: db
      .select({ id: subUserBinding.thing_id })
      .from(subUserBinding)
      .where(isOfSubUser(principal, type, sub_user_id))
      .orderBy(asc(subUserBinding.thing_id)),
  });
  return { access_to_all: onlyRow(access).to_all === 1, list: rows.map(({ id }) => id) };
}

/** Gives or takes access to all zones or places; null changes nothing. */
function writeAccess(
  db: Database,
  principal: Principal,
  type: SharedType,
  { sub_user_id, access_to_all }: SubUserBinding,
) {
  if (access_to_all === true) {
    const row = { account_id: principal.account_id, sub_user_id, type };
    return db.insert(subUserAccess).values(row).onConflictDoNothing();
  }
  if (access_to_all !== false) return undefined;
  const own = and(eq(subUserAccess.sub_user_id, sub_user_id), eq(subUserAccess.type, type));
  return db.delete(subUserAccess).where(visibleTo(principal, subUserAccess, own));
}

/** Demands that all ids are visible zones or places. */
function demandAll(principal: Principal, type: SharedType, ids: number[]) {
  const counted = sql`(SELECT count(*) FROM (${selectVisibleIds(principal, type, ids)}))`;
  return demand(sql`${counted} = ${new Set(ids).size}`, () => new ApiError(201));
}

function selectVisibleIds(principal: Principal, type: SharedType, ids: number[]) {
  const table = TABLES[type];
  return sql`SELECT ${table.id} AS id FROM ${table} WHERE ${visibleThings(principal, type, table, among(table.id, ids))}`;
}

function isOfSubUser({ account_id }: Principal, type: SharedType, sub_user_id: number) {
  return and(
    eq(subUserBinding.account_id, account_id),
    eq(subUserBinding.sub_user_id, sub_user_id),
    eq(subUserBinding.type, type),
  );
}

/** The record for the audit log. */
function toAuditChange(
  action: "bind" | "unbind",
  type: SharedType,
  { sub_user_id, ids, access_to_all }: SubUserBinding,
) {
  return {
    is: [`subuser_${type}`, action] as const,
    entry_id: sub_user_id,
    payload: { ...someOf(ids), ...(access_to_all !== null && { access_to_all }) },
  };
}

const TABLES = { zone, place };
/** Calls are recorded even if nothing changed. */
const ALWAYS = sql`TRUE`;
