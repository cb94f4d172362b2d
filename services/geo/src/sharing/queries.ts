import { and, asc, eq, sql } from "drizzle-orm";
import { type Actor, someOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recording } from "../outbox/audit.ts";
import { place } from "../table/place.ts";
import { subUserAccess } from "../table/sub-user-access.ts";
import { type Bound, subUserBinding } from "../table/sub-user-binding.ts";
import { zone } from "../table/zone.ts";
import { selectAccess, visibleThings } from "../visibility/queries.ts";

export type Binding = { sub_user_id: number; ids: number[]; access_to_all?: boolean | null };

/** All of the ids or, where one is unknown, none; access to all changes along with them where it is named. */
export async function bindThings(db: Database, principal: Principal, type: Bound, binding: Binding, actor: Actor) {
  const { account_id } = principal;
  const { sub_user_id, access_to_all } = binding;
  const { known, areKnown } = knownOf(principal, type, binding.ids);
  const access = { account_id: sql`${account_id}`, sub_user_id: sql`${sub_user_id}`, type: sql`${type}` };
  const mayChange = (wanted: boolean) => sql`${areKnown} AND ${access_to_all === wanted ? 1 : 0}`;
  const [, , , , [found]] = await db.batch([
    db
      .insert(subUserAccess)
      .select(sql`SELECT ${sql.join(Object.values(access), sql`, `)} WHERE ${mayChange(true)}`)
      .onConflictDoNothing(),
    db
      .delete(subUserAccess)
      .where(and(eq(subUserAccess.sub_user_id, sub_user_id), eq(subUserAccess.type, type), mayChange(false))),
    db
      .insert(subUserBinding)
      .select(
        sql`SELECT ${account_id}, ${sub_user_id}, ${type}, id, ${actor.action_date} FROM (${known}) WHERE ${areKnown}`,
      )
      .onConflictDoNothing(),
    recording(db, actor, changeOf("bind", type, binding), areKnown),
    selectKnown(db, areKnown),
  ]);
  if (!found?.known) throw new ApiError(201);
}

/** Access to all stays as it is. */
export async function unbindThings(db: Database, principal: Principal, type: Bound, binding: Binding, actor: Actor) {
  const { areKnown } = knownOf(principal, type, binding.ids);
  const [, , [found]] = await db.batch([
    db
      .delete(subUserBinding)
      .where(
        and(ofSubUser(principal, type, binding.sub_user_id), among(subUserBinding.thing_id, binding.ids), areKnown),
      ),
    recording(db, actor, changeOf("unbind", type, binding), areKnown),
    selectKnown(db, areKnown),
  ]);
  if (!found?.known) throw new ApiError(201);
}

export async function selectBoundIds(db: Database, principal: Principal, type: Bound, sub_user_id: number) {
  const [[access], rows] = await db.batch([
    selectAccess(db, sub_user_id, type),
    db
      .select({ id: subUserBinding.thing_id })
      .from(subUserBinding)
      .where(ofSubUser(principal, type, sub_user_id))
      .orderBy(asc(subUserBinding.thing_id)),
  ]);
  return { access_to_all: access?.to_all === 1, list: rows.map(({ id }) => id) };
}

/** Those of the ids that the account has, and that these are all of them. */
function knownOf(principal: Principal, type: Bound, ids: number[]) {
  const table = TABLES[type];
  const wanted = visibleThings(principal, type, table, among(table.id, ids));
  const known = sql`SELECT ${table.id} AS id FROM ${table} WHERE ${wanted}`;
  return { known, areKnown: sql`(SELECT count(*) FROM (${known})) = ${new Set(ids).size}` };
}

function selectKnown(db: Database, areKnown: ReturnType<typeof sql>) {
  return db.select({ known: sql<number>`${areKnown}` }).from(sql`(SELECT 1)`);
}

function ofSubUser({ account_id }: Principal, type: Bound, sub_user_id: number) {
  return and(
    eq(subUserBinding.account_id, account_id),
    eq(subUserBinding.sub_user_id, sub_user_id),
    eq(subUserBinding.type, type),
  );
}

/** For the audit log. */
function changeOf(action: "bind" | "unbind", type: Bound, { sub_user_id, ids, access_to_all }: Binding) {
  return {
    is: [`subuser_${type}`, action] as const,
    entry_id: sub_user_id,
    payload: { ...someOf(ids), ...(access_to_all !== null && { access_to_all }) },
  };
}

const TABLES = { zone, place };
