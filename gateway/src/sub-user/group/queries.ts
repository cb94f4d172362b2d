import { and, asc, eq, sql } from "drizzle-orm";
import { type Actor, membersOf, someOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { demand, demandChange, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../audit/record-queries.ts";
import { securityGroup } from "../../table/security-group.ts";
import { user } from "../../table/user.ts";
import { isSubUserOf, selectSubUserKeys } from "../account/queries.ts";
import { type NewSecurityGroup, type SecurityGroupChanges, toColumns } from "./schema.ts";

export async function insertGroup(
  db: Database,
  principal: Principal,
  { label, privileges }: NewSecurityGroup,
  actor: Actor,
) {
  const { account_id } = principal;
  const { created } = await write(db, {
    quota: demandQuota(principal, "security_groups", securityGroup),
    created: db
      .insert(securityGroup)
      .values({ account_id, label, ...toColumns(privileges) })
      .returning({ id: securityGroup.id }),
    record: recordChange(db, actor, {
      is: ["security_group", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label, ...privileges },
    }),
  });
  return onlyRow(created).id;
}

export function selectGroups(db: Database, { account_id }: Principal) {
  return db.select().from(securityGroup).where(eq(securityGroup.account_id, account_id)).orderBy(asc(securityGroup.id));
}

/** Changes a group; answers the keys of its members' credentials, whose guards must be refreshed. */
export async function updateGroup(
  db: Database,
  principal: Principal,
  { id, label, privileges }: SecurityGroupChanges,
  actor: Actor,
) {
  const payload = { label, ...privileges, changed: membersOf({ label, privileges }) };
  const { keys } = await write(db, {
    update: db
      .update(securityGroup)
      // Sets `account_id`, because an update without columns would be an error.
      .set({ account_id: principal.account_id, label, ...(privileges && toColumns(privileges)) })
      .where(isGroupOf(principal, id)),
    exists: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, { is: ["security_group", "update"], entry_id: id, payload }),
    keys: selectSubUserKeys(db, principal, eq(user.security_group_id, id)),
  });
  return keys.map(({ key }) => key);
}

/** Deletes a group, which leaves its members without rights; answers the keys of their credentials. */
export async function deleteGroup(db: Database, principal: Principal, id: number, actor: Actor) {
  const label = sql`(SELECT json_object('label', ${securityGroup.label}) FROM ${securityGroup} WHERE ${isGroupOf(principal, id)})`;
  const members = eq(user.security_group_id, id);
  const { keys } = await write(db, {
    exists: demand(groupExists(principal, id), () => new ApiError(201)),
    // In front of the deletion: the entry reads the label from the row.
    record: recordChange(db, actor, { is: ["security_group", "delete"], entry_id: id, payload: label }, sql`true`),
    group: db.delete(securityGroup).where(isGroupOf(principal, id)),
    keys: selectSubUserKeys(db, principal, members),
    members: db.update(user).set({ security_group_id: null }).where(isSubUserOf(principal, members)),
  });
  return keys.map(({ key }) => key);
}

/** Puts the sub-users into a group, or none of them (201) if one does not exist. Answers the keys of their credentials. */
export async function assignGroup(
  db: Database,
  principal: Principal,
  id: number | null,
  sub_user_ids: number[],
  actor: Actor,
) {
  const ids = [...new Set(sub_user_ids)];
  const members = isSubUserOf(principal, among(user.id, ids));
  const { ids: subuser_ids, ...rest } = someOf(ids);
  const payload = { subuser_ids, ...rest };
  const { keys } = await write(db, {
    group: demand(groupExists(principal, id), () => new ApiError(201)),
    all: demand(sql`(SELECT count(*) FROM ${user} WHERE ${members}) = ${ids.length}`, () => new ApiError(201)),
    update: db.update(user).set({ security_group_id: id }).where(members),
    record: recordChange(db, actor, { is: ["security_group", "assign"], entry_id: id, payload }),
    keys: selectSubUserKeys(db, principal, among(user.id, ids)),
  });
  return keys.map(({ key }) => key);
}

/** For a demand: the account has the group. No demand for null, which means no group. */
export function groupExists(principal: Principal, id: number | null) {
  if (id === null) return undefined;
  return sql`EXISTS (SELECT 1 FROM ${securityGroup} WHERE ${isGroupOf(principal, id)})`;
}

function isGroupOf({ account_id }: Principal, id: number) {
  return and(eq(securityGroup.account_id, account_id), eq(securityGroup.id, id));
}
