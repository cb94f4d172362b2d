import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { credential } from "../../table/credential.ts";
import type { uiSetting } from "../../table/ui-setting.ts";
import { user } from "../../table/user.ts";

/** Condition: sub-users of the principal's account. */
export function isSubUserOf({ account_id }: Principal, ...conditions: (SQL | undefined)[]) {
  return and(eq(user.master_id, account_id), ...conditions);
}

/** For a demand: the account has this sub-user. */
export function isSubUser(principal: Principal, id: number) {
  return sql`EXISTS (SELECT 1 FROM ${user} WHERE ${isSubUserOf(principal, eq(user.id, id))})`;
}

/** The keys of all credentials of these sub-users, whose guards must be refreshed. */
export function selectSubUserKeys(db: Database, principal: Principal, ...conditions: (SQL | undefined)[]) {
  return db
    .select({ key: credential.key })
    .from(credential)
    .where(belongsToUsers(principal, credential, isSubUserOf(principal, ...conditions)));
}

/** The keys of the master's own credentials, whose guards hold the ids of its sub-users. */
export function selectMasterKeys(db: Database, { account_id }: Principal) {
  return db
    .select({ key: credential.key })
    .from(credential)
    .where(and(eq(credential.account_id, account_id), eq(credential.user_id, account_id)));
}

/** Condition: rows of one user of the account. */
export function belongsToUser({ account_id }: Principal, table: typeof credential | typeof uiSetting, id: number) {
  return and(eq(table.account_id, account_id), eq(table.user_id, id));
}

/** Condition: rows of the account's users that meet `owners`. */
export function belongsToUsers(
  { account_id }: Principal,
  table: typeof credential | typeof uiSetting,
  owners: SQL | undefined,
) {
  return and(
    eq(table.account_id, account_id),
    sql`${table.user_id} IN (SELECT ${user.id} FROM ${user} WHERE ${owners})`,
  );
}
