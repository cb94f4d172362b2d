import { and, eq, sql } from "drizzle-orm";
import { ApiError } from "#shared/api-error.ts";
import { type Actor, membersOf } from "#shared/audit.ts";
import { type Database, taken } from "#shared/database.ts";
import type { Principal } from "#shared/principal.ts";
import { recording } from "../audit/record.ts";
import type { GatewayEnv } from "../env.ts";
import { refreshGuards } from "../guard/refresh.ts";
import { endCredentials } from "../session/queries.ts";
import { credential } from "../session/table.ts";
import { type UserRow, user } from "../user/table.ts";
import { reachable } from "./user-queries.ts";

/** A change to a master is one to the whole account: every credential of it acts on it from the answer on. */
export async function changeUser(
  db: Database,
  env: GatewayEnv,
  principal: Principal,
  user_id: number,
  changes: Partial<UserRow>,
  actor: Actor,
) {
  const wanted = reachable(principal, eq(user.id, user_id));
  const ofAccount = sql`${credential.account_id} IN (SELECT ${user.id} FROM ${user} WHERE ${wanted})`;
  const isSession = sql`${credential.kind} IN ('session', 'delegated') AND ${changes.blocked ? 1 : 0}`;
  // The key of the login is ours alone, as that of the codes.
  const { login_key, blocked, totp_sealed, totp_step, ...named } = changes;
  const payload = { changed: membersOf(named), blocked };
  const [changed, , , , ended, kept] = await db
    .batch([
      // Nothing to change is no reason to fail, but the user must be there.
      db
        .update(user)
        .set({ master_id: null, ...changes })
        .where(wanted)
        .returning({ id: user.id }),
      recording(db, { ...actor, account_id: user_id }, { is: ["user", "update"], entry_id: user_id, payload }),
      ...endCredentials(db, and(ofAccount, isSession)),
      db.select({ key: credential.key }).from(credential).where(ofAccount),
    ])
    .catch(taken(206));
  if (changed.length === 0) throw new ApiError(201);
  await refreshGuards(
    env,
    [...ended, ...kept].map(({ key }) => key),
  );
}
