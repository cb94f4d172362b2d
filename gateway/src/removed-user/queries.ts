import { and, eq, sql } from "drizzle-orm";
import { ApiError, invalid } from "#shared/api-error.ts";
import type { Database } from "#shared/database.ts";
import type { Principal } from "#shared/principal.ts";
import { menu } from "../menu/table.ts";
import { reachable } from "../panel/user-queries.ts";
import { securityGroup } from "../security-group/table.ts";
import { endCredentials } from "../session/queries.ts";
import { credential } from "../session/table.ts";
import { uiSetting } from "../settings/table.ts";
import { subUserTracker } from "../sub-user/table.ts";
import { user } from "../user/table.ts";
import { departedUser, removedUser } from "./table.ts";

/** The master with its sub-users and all that is theirs here; the answer is the keys of credentials that are no more. */
export async function removeUser(db: Database, principal: Principal, user_id: number, login: string) {
  const wanted = reachable(principal, eq(user.id, user_id), eq(user.login_key, login.toLowerCase()));
  // Once it is noted, whatever names its account goes.
  const noted = sql`(SELECT ${removedUser.id} FROM ${removedUser} WHERE ${removedUser.id} = ${user_id} AND ${ofDealer(principal)})`;
  const [, , , ended, , , , , deleted, [left], [known]] = await db.batch([
    db.insert(removedUser).select(sql`SELECT ${user.id}, ${user.dealer_id} FROM ${user} WHERE ${wanted}`),
    ...endCredentials(db, and(eq(credential.account_id, noted), sql`${credential.kind} <> 'operator'`)),
    db.delete(uiSetting).where(eq(uiSetting.account_id, noted)),
    db.delete(subUserTracker).where(eq(subUserTracker.account_id, noted)),
    db.delete(securityGroup).where(eq(securityGroup.account_id, noted)),
    db.insert(departedUser).select(sql`SELECT ${noted}, ${noted} WHERE ${noted} IS NOT NULL`).onConflictDoNothing(),
    db.delete(user).where(sql`${user.id} = ${noted} OR ${user.master_id} = ${noted}`).returning({ id: user.id }),
    db
      .select({ id: user.id })
      .from(user)
      .where(reachable(principal, eq(user.id, user_id))),
    db.select({ id: removedUser.id }).from(removedUser).where(eq(removedUser.id, noted)),
    db.delete(menu).where(eq(menu.user_id, noted)),
  ]);
  if (left) throw invalid("login", "is not the user's");
  if (!known) throw new ApiError(201);
  return { keys: ended.map(({ key }) => key), isNew: deleted.length > 0 };
}

function ofDealer({ dealer_id, permissions }: Principal) {
  const global = permissions.users?.includes("global") ? 1 : 0;
  return sql`(${removedUser.dealer_id} = ${dealer_id} OR ${global})`;
}
