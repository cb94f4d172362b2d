import { and, asc, eq, sql } from "drizzle-orm";
import { ApiError } from "#shared/api-error.ts";
import { type Actor, membersOf, someOf } from "#shared/audit.ts";
import { among, type Database, only } from "#shared/database.ts";
import type { Principal } from "#shared/principal.ts";
import { recording } from "../audit/record.ts";
import { ofMaster, selectKeys } from "../sub-user/of-master.ts";
import { user } from "../user/table.ts";
import { type NewSecurityGroup, type SecurityGroupChanges, toColumns } from "./schema.ts";
import { securityGroup } from "./table.ts";

export async function insertGroup(
  db: Database,
  { account_id }: Principal,
  { label, privileges }: NewSecurityGroup,
  actor: Actor,
) {
  const [inserted] = await db.batch([
    db
      .insert(securityGroup)
      .values({ account_id, label, ...toColumns(privileges) })
      .returning({ id: securityGroup.id }),
    recording(db, actor, {
      is: ["security_group", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label, ...privileges },
    }),
  ]);
  return only(inserted).id;
}

export function selectGroups(db: Database, { account_id }: Principal) {
  return db.select().from(securityGroup).where(eq(securityGroup.account_id, account_id)).orderBy(asc(securityGroup.id));
}

/** The answer is the keys of its members' credentials, here and below. */
export async function updateGroup(
  db: Database,
  principal: Principal,
  { id, label, privileges }: SecurityGroupChanges,
  actor: Actor,
) {
  const payload = { label, ...privileges, changed: membersOf({ label, privileges }) };
  const [updated, , keys] = await db.batch([
    db
      .update(securityGroup)
      // Nothing to change is no reason to fail, but the group must be there.
      .set({ account_id: principal.account_id, label, ...(privileges && toColumns(privileges)) })
      .where(own(principal, id))
      .returning({ id: securityGroup.id }),
    recording(db, actor, { is: ["security_group", "update"], entry_id: id, payload }),
    selectKeys(db, principal, eq(user.security_group_id, id)),
  ]);
  if (updated.length === 0) throw new ApiError(201);
  return keys.map(({ key }) => key);
}

/** Its members fall back to the null group. */
export async function deleteGroup(db: Database, principal: Principal, id: number, actor: Actor) {
  const label = sql`(SELECT json_object('label', ${securityGroup.label}) FROM ${securityGroup} WHERE ${own(principal, id)})`;
  const members = eq(user.security_group_id, id);
  const [, deleted, keys] = await db.batch([
    recording(db, actor, { is: ["security_group", "delete"], entry_id: id, payload: label }, sql`${label} IS NOT NULL`),
    db.delete(securityGroup).where(own(principal, id)).returning({ id: securityGroup.id }),
    selectKeys(db, principal, members),
    db.update(user).set({ security_group_id: null }).where(ofMaster(principal, members)),
  ]);
  if (deleted.length === 0) throw new ApiError(201);
  return keys.map(({ key }) => key);
}

/** All of them or, where one is not there, none. */
export async function assignGroup(
  db: Database,
  principal: Principal,
  id: number | null,
  sub_user_ids: number[],
  actor: Actor,
) {
  const ids = [...new Set(sub_user_ids)];
  const wanted = ofMaster(principal, among(user.id, ids));
  const group = groupExists(principal, id);
  const complete = sql`(SELECT count(*) FROM ${user} WHERE ${wanted}) = ${ids.length}`;
  const { ids: subuser_ids, ...rest } = someOf(ids);
  const payload = { subuser_ids, ...rest };
  const [assigned, , keys, [known]] = await db.batch([
    db
      .update(user)
      .set({ security_group_id: id })
      .where(and(wanted, group, complete))
      .returning({ id: user.id }),
    recording(db, actor, { is: ["security_group", "assign"], entry_id: id, payload }),
    selectKeys(db, principal, among(user.id, ids)),
    db.all<{ found: number }>(sql`SELECT ${group} AS found`),
  ]);
  if (assigned.length < ids.length || !known?.found) throw new ApiError(201);
  return keys.map(({ key }) => key);
}

/** Whether the account has the group; the null group everybody has. For the condition of a statement that names it. */
export function groupExists(principal: Principal, id: number | null) {
  if (id === null) return sql`true`;
  return sql`EXISTS (SELECT 1 FROM ${securityGroup} WHERE ${own(principal, id)})`;
}

function own({ account_id }: Principal, id: number) {
  return and(eq(securityGroup.account_id, account_id), eq(securityGroup.id, id));
}
