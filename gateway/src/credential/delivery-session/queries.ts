import { and, eq } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { seal } from "#shared/secret/seal.ts";
import { recordChange } from "../../audit/record-queries.ts";
import type { GatewayEnv } from "../../env.ts";
import { credential } from "../../table/credential.ts";
import { keyOf } from "../hash.ts";
import { endCredentials, isCountBelow, LAST_EXPIRY_MS, toCredentialRow } from "../queries.ts";

/** Stores a new delivery session in place of the account's old one, and answers the keys that ended. A demo account may
 * create its first session but not replace it (101). */
export async function replaceDeliverySession(
  db: Database,
  env: GatewayEnv,
  { account_id, demo }: Principal,
  hash: string,
  actor: Actor,
) {
  const now = actor.action_date;
  const sealed = await seal(hash, env.ENCRYPTION_KEY);
  const owner = { account_id, user_id: account_id, kind: "delivery" } as const;
  const row = toCredentialRow(keyOf(hash, env), { ...owner, now, lifeMs: LAST_EXPIRY_MS - now, sealed });
  const { ended } = await write(db, {
    canReplace: demand(demo ? isCountBelow(deliverySessionOf(account_id), 1) : undefined, () => new ApiError(101)),
    ...endCredentials(db, deliverySessionOf(account_id)),
    session: db.insert(credential).values(row),
    record: recordChange(db, actor, { is: ["delivery_session", "create"], entry_id: account_id }),
  });
  return ended.map(({ key }) => key);
}

export async function requireDeliverySession(db: Database, { account_id }: Principal) {
  const row = await db
    .select({ sealed: credential.sealed })
    .from(credential)
    .where(deliverySessionOf(account_id))
    .get();
  if (!row?.sealed) throw new ApiError(201);
  return row.sealed;
}

/** A delivery session belongs to the master, whose id is also the account's id. */
function deliverySessionOf(account_id: number) {
  return and(
    eq(credential.account_id, account_id),
    eq(credential.user_id, account_id),
    eq(credential.kind, "delivery"),
  );
}
