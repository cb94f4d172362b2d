import { and, asc, eq, exists, sql } from "drizzle-orm";
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

export async function insertApiKey(
  db: Database,
  env: GatewayEnv,
  { account_id }: Principal,
  { hash, title, agent_writes }: { hash: string; title: string; agent_writes: boolean },
  actor: Actor,
) {
  const now = actor.action_date;
  const sealed = await seal(hash, env.ENCRYPTION_KEY);
  // API keys belong to the master, whose id is also the account's id.
  const owner = { account_id, user_id: account_id, kind: "api_key" } as const;
  const row = toCredentialRow(keyOf(hash, env), {
    ...owner,
    now,
    lifeMs: LAST_EXPIRY_MS - now,
    title,
    sealed,
    agent_writes,
  });
  await write(db, {
    quota: demand(isCountBelow(apiKeysOf(account_id), MAX_KEYS_PER_ACCOUNT), () => new ApiError(268)),
    // Returns something, so that the row id is kept for a repeated call.
    key: db.insert(credential).values(row).returning({ id: credential.id }),
    record: recordChange(db, actor, { is: ["api_key", "create"], payload: { title, agent_writes } }),
  });
}

export function selectApiKeys(db: Database, { account_id }: Principal) {
  return db
    .select()
    .from(credential)
    .where(apiKeysOf(account_id))
    .orderBy(asc(credential.created), asc(credential.key));
}

/** The API key in a row of the table; 201 if it is deleted. */
export async function requireApiKey(db: Database, { account_id }: Principal, rowId: number) {
  const row = await db
    .select()
    .from(credential)
    .where(and(apiKeysOf(account_id), sql`${credential}.rowid = ${rowId}`))
    .get();
  if (!row) throw new ApiError(201);
  return row;
}

/** Deletes an API key; answers the keys of all credentials that ended with it. */
export async function removeApiKey(db: Database, { account_id }: Principal, key: string, actor: Actor) {
  const thisKey = and(apiKeysOf(account_id), eq(credential.key, key));
  const title = sql`(SELECT json_object('title', ${credential.title}) FROM ${credential} WHERE ${thisKey})`;
  const { ended } = await write(db, {
    exists: demand(exists(db.select().from(credential).where(thisKey)), () => new ApiError(201)),
    // In front of the deletion: the entry reads the title from the row.
    record: recordChange(db, actor, { is: ["api_key", "delete"], payload: title }, sql`true`),
    ...endCredentials(db, thisKey),
  });
  return ended.map((one) => one.key);
}

function apiKeysOf(account_id: number) {
  return and(eq(credential.account_id, account_id), eq(credential.user_id, account_id), eq(credential.kind, "api_key"));
}

const MAX_KEYS_PER_ACCOUNT = 20;
