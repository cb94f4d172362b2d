import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database.ts";
import type { Principal } from "#shared/principal.ts";
import { credential } from "../session/table.ts";
import type { uiSetting } from "../settings/table.ts";
import { user } from "../user/table.ts";

/** The account's sub-users. */
export function ofMaster({ account_id }: Principal, ...conditions: (SQL | undefined)[]) {
  return and(eq(user.master_id, account_id), ...conditions);
}

/** For a demand: that the account has the sub-user. */
export function isSubUser(principal: Principal, id: number) {
  return sql`EXISTS (SELECT 1 FROM ${user} WHERE ${ofMaster(principal, eq(user.id, id))})`;
}

/** The keys of the credentials of those sub-users: their guards must look anew. */
export function selectKeys(db: Database, principal: Principal, ...conditions: (SQL | undefined)[]) {
  return db
    .select({ key: credential.key })
    .from(credential)
    .where(ofUsers(principal, credential, ofMaster(principal, ...conditions)));
}

/** The keys of the master's own credentials: whom it has as sub-users, their guards know. */
export function selectKeysOfMaster(db: Database, { account_id }: Principal) {
  return db
    .select({ key: credential.key })
    .from(credential)
    .where(and(eq(credential.account_id, account_id), eq(credential.user_id, account_id)));
}

/** What belongs to the one user of the account. */
export function ofUser({ account_id }: Principal, table: typeof credential | typeof uiSetting, id: number) {
  return and(eq(table.account_id, account_id), eq(table.user_id, id));
}

/** What belongs to those users of the account. */
export function ofUsers(
  { account_id }: Principal,
  table: typeof credential | typeof uiSetting,
  wanted: SQL | undefined,
) {
  return and(
    eq(table.account_id, account_id),
    sql`${table.user_id} IN (SELECT ${user.id} FROM ${user} WHERE ${wanted})`,
  );
}
