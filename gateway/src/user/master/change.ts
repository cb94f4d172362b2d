import { and, eq, sql } from "drizzle-orm";
import { type Actor, membersOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { taken } from "#shared/database/rows.ts";
import { demandChange, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recording } from "../../audit/record.ts";
import { refreshGuards } from "../../credential/guard/refresh.ts";
import { endCredentials } from "../../credential/queries.ts";
import type { GatewayEnv } from "../../env.ts";
import { credential } from "../../table/credential.ts";
import { type UserRow, user } from "../../table/user.ts";
import { reachable } from "./queries.ts";

/** A change to a master is one to the whole account: every credential of it acts on it from the answer on. */
export async function changeUser(
  db: Database,
  env: GatewayEnv,
  principal: Principal,
  user_id: number,
  changes: Partial<UserRow>,
  actor: Actor,
) {
  const ofAccount = eq(credential.account_id, user_id);
  const sessions = and(ofAccount, sql`${credential.kind} IN ('session', 'delegated')`);
  // The key of the login is ours alone, as that of the codes.
  const { login_key, blocked, totp_sealed, totp_step, ...named } = changes;
  const payload = { changed: membersOf(named), blocked };
  const { ended = [], kept } = await write(db, {
    update: db
      .update(user)
      // Nothing to change is no reason to fail, but the user must be there.
      .set({ master_id: null, ...changes })
      .where(reachable(principal, eq(user.id, user_id))),
    there: demandChange(() => new ApiError(201)),
    record: recording(db, { ...actor, account_id: user_id }, { is: ["user", "update"], entry_id: user_id, payload }),
    ...(blocked && endCredentials(db, sessions)),
    kept: db.select({ key: credential.key }).from(credential).where(ofAccount),
  }).catch(taken(206));
  await refreshGuards(
    env,
    [...ended, ...kept].map(({ key }) => key),
  );
}
