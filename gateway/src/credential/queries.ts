import { and, asc, eq, exists, gt, lt, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Actor } from "#shared/caller/audit.ts";
import type { Credential, Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { recording } from "../audit/record-queries.ts";
import type { GatewayEnv } from "../env.ts";
import { credential } from "../table/credential.ts";
import { dealer } from "../table/dealer.ts";
import { MAY_UNBLOCK, operator } from "../table/operator.ts";
import { pendingLogin } from "../table/pending-login.ts";
import { pushToken } from "../table/push-token.ts";
import { user } from "../table/user.ts";
import { keyOf, newHash } from "./hash.ts";

type Owner = { account_id: number; user_id: number };
type NewCredential = Owner & { kind: Credential; now: number; lifeMs: number; title?: string; sealed?: string };

/** Before anybody is known: the look-up by login has no account to be scoped to. */
export function selectLogin(db: Database, login: string) {
  return selectUser(db, eq(user.login_key, login.toLowerCase())).get();
}

/** A user with those whose blocking is its own. */
export function selectUser(db: Database, condition: SQL | undefined) {
  return db
    .select({ user, dealer, master: { blocked: master.blocked } })
    .from(user)
    .innerJoin(master, sql`${master.id} = coalesce(${user.master_id}, ${user.id})`)
    .innerJoin(dealer, eq(dealer.id, user.dealer_id))
    .where(condition);
}

/** Refuses whoever knows the password and may not log in all the same. */
export function requireMayLogIn({ user, master, dealer }: Awaited<ReturnType<typeof selectUser>>[number]) {
  if (dealer.block_type !== "NOT_BLOCKED") throw new ApiError(11);
  if (!user.activated) throw new ApiError(103);
  // With its master, a sub-user is blocked too.
  if (user.blocked || master.blocked) throw new ApiError(275);
}

/** `requireMayLogIn` as demands, for who comes without a password: 201 where there is nobody. */
export function demandMayLogIn(db: Database, login: SQL | undefined) {
  const isSuch = (condition?: SQL) => exists(selectUser(db, and(login, condition)));
  return {
    there: demand(isSuch(), () => new ApiError(201)),
    dealerIsOpen: demand(isSuch(eq(dealer.block_type, "NOT_BLOCKED")), () => new ApiError(11)),
    activated: demand(isSuch(eq(user.activated, true)), () => new ApiError(103)),
    unblocked: demand(isSuch(and(eq(user.blocked, false), eq(master.blocked, false))), () => new ApiError(275)),
  };
}

/** The hash of a new session; 104 where the user has too many. */
export async function insertSession(
  db: Database,
  env: GatewayEnv,
  owner: Owner,
  kind: "session" | "delegated",
  actor: Actor,
) {
  const { hash, steps } = newSession(db, env, owner, kind, actor.action_date);
  const change = { is: ["user", kind === "session" ? "login" : "session_create"], entry_id: owner.user_id } as const;
  await write(db, { ...steps, record: recording(db, actor, change) });
  return hash;
}

/** The same as steps of a write, the last of which stores the session. */
export function newSession(db: Database, env: GatewayEnv, owner: Owner, kind: "session" | "delegated", now: number) {
  const hash = newHash(env);
  const live = and(
    eq(credential.account_id, owner.account_id),
    eq(credential.user_id, owner.user_id),
    sql`${credential.kind} IN ('session', 'delegated')`,
    gt(credential.expires_at, now),
  );
  const row = credentialRow(keyOf(hash, env), { ...owner, kind, now, lifeMs: SESSION_MS });
  const steps = {
    room: demand(areFewer(live, Number(env.SESSIONS_PER_USER)), () => new ApiError(104)),
    session: db.insert(credential).values(row),
  };
  return { hash, steps };
}

/** The hash of a new session of an operator. */
export async function insertOperatorSession(db: Database, env: GatewayEnv, operator_id: number, now: number) {
  const hash = newHash(env);
  const owner = { account_id: 0, user_id: operator_id, kind: "operator" as const };
  await db.insert(credential).values(credentialRow(keyOf(hash, env), { ...owner, now, lifeMs: OPERATOR_SESSION_MS }));
  return hash;
}

/** Demanded in front of one more, so that no two calls at once pass the limit together. */
export function areFewer(counted: SQL | undefined, limit: number) {
  return sql`(SELECT count(*) FROM ${credential} WHERE ${counted}) < ${limit}`;
}

export function credentialRow(key: string, { now, lifeMs, ...rest }: NewCredential) {
  return { ...rest, key, created: now, expires_at: now + lifeMs };
}

export async function deleteCredential(db: Database, { account_id, key }: Principal) {
  await write(db, endCredentials(db, and(eq(credential.account_id, account_id), eq(credential.key, key))));
}

export async function logOut(db: Database, { account_id, user_id, key }: Principal, actor: Actor) {
  await write(db, {
    ...endCredentials(db, and(eq(credential.account_id, account_id), eq(credential.key, key))),
    record: recording(db, actor, { is: ["user", "logout"], entry_id: user_id }),
  });
}

/** Steps of a write; `ended` tells the keys. With a session end its notifications, with a pending log-in its code. */
export function endCredentials(db: Database, condition: SQL | undefined) {
  const keys = db.select({ key: credential.key }).from(credential).where(condition);
  return {
    belongings: [
      db.delete(pushToken).where(sql`${pushToken.key} IN ${keys}`),
      db.delete(pendingLogin).where(sql`${pendingLogin.key} IN ${keys}`),
    ],
    ended: db.delete(credential).where(condition).returning({ key: credential.key }),
  };
}

export async function renewCredential(db: Database, { account_id, key }: Principal, now: number) {
  const renewed = await db
    .update(credential)
    .set({ expires_at: now + SESSION_MS })
    .where(and(eq(credential.account_id, account_id), eq(credential.key, key), gt(credential.expires_at, now)))
    .returning({ key: credential.key });
  if (renewed.length === 0) throw new ApiError(4);
}

/** Ends sessions of blocked dealers' users and operators; a bounded part at a time. The answer is their keys. */
export async function endBlocked(db: Database): Promise<string[]> {
  const blocked = sql`SELECT ${credential.key} FROM ${credential}
    JOIN ${user} ON ${user.id} = ${credential.user_id} JOIN ${dealer} ON ${dealer.id} = ${user.dealer_id}
    WHERE ${credential.kind} IN ('session', 'delegated') AND ${dealer.block_type} <> 'NOT_BLOCKED'
    UNION ALL SELECT ${credential.key} FROM ${credential}
    JOIN ${operator} ON ${operator.id} = ${credential.user_id} JOIN ${dealer} ON ${dealer.id} = ${operator.dealer_id}
    WHERE ${credential.kind} = 'operator' AND ${dealer.block_type} <> 'NOT_BLOCKED' AND NOT ${MAY_UNBLOCK}
    ORDER BY 1 LIMIT ${SWEPT}`;
  // In order, so that every statement of the write ends the same ones.
  const { ended } = await write(db, endCredentials(db, sql`${credential.key} IN (${blocked})`));
  return ended.map(({ key }) => key);
}

/** Removes what ended, whoever had it; a bounded part at a time. */
export async function sweepEnded(db: Database, now: number) {
  const ended = db
    .select({ key: credential.key })
    .from(credential)
    .where(lt(credential.expires_at, now))
    .orderBy(asc(credential.expires_at))
    .limit(SWEPT);
  await write(db, endCredentials(db, sql`${credential.key} IN ${ended}`));
}

const master = alias(user, "master");
const SESSION_MS = 30 * DAY_MS;
const SWEPT = 1000;
/** The last day of the year 9999: what does not expire ends by being deleted. */
export const FOREVER_MS = 253_402_214_400_000;
const OPERATOR_SESSION_MS = DAY_MS;
