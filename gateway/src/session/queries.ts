import { and, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { ApiError } from "#shared/api-error.ts";
import type { Database } from "#shared/database.ts";
import type { Credential, Principal } from "#shared/principal.ts";
import { dealer } from "../dealer/table.ts";
import type { GatewayEnv } from "../env.ts";
import { user } from "../user/table.ts";
import { keyOf, newHash } from "./hash.ts";
import { credential } from "./table.ts";

type Owner = { account_id: number; user_id: number };
type NewCredential = Owner & { kind: Credential; now: number; lifeMs: number; title?: string; sealed?: string };

/** Before anybody is known: the look-up by login has no account to be scoped to. */
export function selectLogin(db: Database, login: string) {
  return db
    .select({ user, dealer })
    .from(user)
    .innerJoin(dealer, eq(dealer.id, user.dealer_id))
    .where(eq(user.login_key, login.toLowerCase()))
    .get();
}

/** The hash of a new session; `limit` live ones are the most that a user has. */
export async function insertSession(
  db: Database,
  env: GatewayEnv,
  owner: Owner,
  kind: "session" | "delegated",
  now: number,
) {
  const hash = newHash(env);
  const values = { ...owner, kind, now, lifeMs: SESSION_MS };
  const live = and(
    eq(credential.account_id, owner.account_id),
    eq(credential.user_id, owner.user_id),
    sql`${credential.kind} IN ('session', 'delegated')`,
    gt(credential.expires_at, now),
  );
  const inserted = await insertUnlessFull(db, keyOf(hash, env), values, live, Number(env.SESSIONS_PER_USER));
  if (!inserted) throw new ApiError(104);
  return hash;
}

/** Counts and inserts in one statement, so that no two calls at once pass the limit together. */
export async function insertUnlessFull(
  db: Database,
  key: string,
  row: NewCredential,
  counted: SQL | undefined,
  limit: number,
) {
  const { account_id, user_id, kind, now, lifeMs, title = null, sealed = null } = row;
  const inserted = await db.all(sql`
    INSERT INTO ${credential} (key, account_id, user_id, kind, created, expires_at, title, sealed)
    SELECT ${key}, ${account_id}, ${user_id}, ${kind}, ${now}, ${now + lifeMs}, ${title}, ${sealed}
    WHERE (SELECT count(*) FROM ${credential} WHERE ${counted}) < ${limit}
    RETURNING key`);
  return inserted.length === 1;
}

/** A row for a batch, for credentials without a limit of their number. */
export function credentialRow(key: string, { now, lifeMs, ...rest }: NewCredential) {
  return { ...rest, key, created: now, expires_at: now + lifeMs };
}

export async function deleteCredential(db: Database, { account_id, key }: Principal) {
  await db.delete(credential).where(and(eq(credential.account_id, account_id), eq(credential.key, key)));
}

export async function renewCredential(db: Database, { account_id, key }: Principal, now: number) {
  const renewed = await db
    .update(credential)
    .set({ expires_at: now + SESSION_MS })
    .where(and(eq(credential.account_id, account_id), eq(credential.key, key), gt(credential.expires_at, now)))
    .returning({ key: credential.key });
  if (renewed.length === 0) throw new ApiError(4);
}

/** Ends sessions of blocked dealers' users, whoever they are; a bounded part at a time. The answer is their keys. */
export async function endBlocked(db: Database): Promise<string[]> {
  const blocked = sql`SELECT ${credential.key} FROM ${credential}
    JOIN ${user} ON ${user.id} = ${credential.user_id} JOIN ${dealer} ON ${dealer.id} = ${user.dealer_id}
    WHERE ${credential.kind} IN ('session', 'delegated') AND ${dealer.block_type} <> 'NOT_BLOCKED' LIMIT ${SWEPT}`;
  const ended = await db
    .delete(credential)
    .where(sql`${credential.key} IN (${blocked})`)
    .returning({ key: credential.key });
  return ended.map(({ key }) => key);
}

/** Removes what ended, whoever had it; a bounded part at a time. */
export function sweepEnded(db: Database, now: number) {
  const ended = db.select({ key: credential.key }).from(credential).where(lt(credential.expires_at, now)).limit(SWEPT);
  return db.delete(credential).where(sql`${credential.key} IN ${ended}`);
}

const SESSION_MS = 30 * 86_400_000;
const SWEPT = 1000;
export const OPERATOR_SESSION_MS = 86_400_000;
