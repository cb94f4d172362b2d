import { randomInt } from "node:crypto";
import { and, asc, eq, exists, gt, inArray, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Actor } from "#shared/caller/audit.ts";
import type { Credential, Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { recordChange } from "../audit/record-queries.ts";
import type { GatewayEnv } from "../env.ts";
import { credential } from "../table/credential.ts";
import { dealer } from "../table/dealer.ts";
import { CAN_UNBLOCK_DEALERS, operator } from "../table/operator.ts";
import { pendingLogin } from "../table/pending-login.ts";
import { pushToken } from "../table/push/push-token.ts";
import { user } from "../table/user.ts";
import { isUnblocked, selectDealerTrees } from "./blocking-queries.ts";
import { generateHash, keyOf } from "./hash.ts";

type CheckedUser = { id: number; password: string };
type Owner = { account_id: number; user_id: number };
type NewCredential = Owner & {
  kind: Credential;
  now: number;
  lifeMs: number;
  host?: string;
  user_agent?: string;
  maker_key?: string;
  title?: string;
  sealed?: string;
  agent_writes?: boolean;
};

/**
 * Finds a user by login, of one dealer if `dealer_id` is given, with the number of its live sessions. Not limited to an
 * account, because the caller is not known yet.
 */
export function selectUserByLogin(db: Database, login: string, dealer_id: number | undefined, now: number) {
  const account_id = sql`coalesce(${user.master_id}, ${user.id})`;
  const sessions = sql<number>`(SELECT count(*) FROM ${credential} WHERE ${isLiveSession(account_id, sql`${user.id}`, now)})`;
  const ofDealer = dealer_id === undefined ? undefined : eq(user.dealer_id, dealer_id);
  return db
    .select({ ...USER_WITH_BLOCKING, sessions })
    .from(user)
    .innerJoin(master, IS_MASTER)
    .where(and(eq(user.login_key, login.toLowerCase()), ofDealer))
    .get();
}

/** Users with all that can block them: the user itself, its master, and the dealers above it. */
export function selectUserWithBlocking(db: Database, condition: SQL | undefined) {
  return db.select(USER_WITH_BLOCKING).from(user).innerJoin(master, IS_MASTER).where(condition);
}

/** Refuses a user who showed the right password but is blocked or not activated. */
export function requireMayLogIn({
  user,
  master,
  isDealerOpen,
}: Awaited<ReturnType<typeof selectUserWithBlocking>>[number]) {
  if (!isDealerOpen) throw new ApiError(11);
  if (!user.activated) throw new ApiError(103);
  // Blocking a master also blocks its sub-users.
  if (user.blocked || master.blocked) throw new ApiError(275);
}

/** `requireMayLogIn` as demands of a write, for log-ins without a password; 201 if there is no such user. */
export function demandMayLogIn(db: Database, login: SQL | undefined) {
  const matches = (condition?: SQL) => exists(selectUserWithBlocking(db, and(login, condition)));
  return {
    exists: demand(matches(), () => new ApiError(201)),
    dealerIsOpen: demand(matches(isUnblocked(user.dealer_id)), () => new ApiError(11)),
    activated: demand(matches(eq(user.activated, true)), () => new ApiError(103)),
    unblocked: demand(matches(and(eq(user.blocked, false), eq(master.blocked, false))), () => new ApiError(275)),
  };
}

/** Demands that the checked password is still the user's, and that the user may still log in. */
export function demandPasswordUnchanged(db: Database, { id, password }: { id: number; password: string }) {
  const isSame = and(eq(user.id, id), eq(user.password, password));
  return {
    same: demand(exists(selectUserWithBlocking(db, isSame)), () => new ApiError(102)),
    ...demandMayLogIn(db, isSame),
  };
}

/** Creates a session of a user whose password was checked, and answers its hash; 104 if the user has too many. */
export async function insertSession(db: Database, env: GatewayEnv, found: CheckedUser, actor: Actor) {
  const { hash, steps } = prepareSession(db, env, actor);
  const change = { is: ["user", "login"], entry_id: actor.user_id } as const;
  await write(db, { ...demandPasswordUnchanged(db, found), ...steps, record: recordChange(db, actor, change) });
  return hash;
}

/** Creates a session in the name of `owner` for an operator, and answers its hash; 104 if the user has too many. */
export async function insertDelegatedSession(
  db: Database,
  env: GatewayEnv,
  owner: Owner,
  maker: Principal,
  actor: Actor,
) {
  const { hash, steps } = prepareDelegatedSession(db, env, owner, maker, actor);
  const change = { is: ["user", "session_create"], entry_id: owner.user_id } as const;
  await write(db, { ...steps, record: recordChange(db, actor, change) });
  return hash;
}

/** The hash of a new session of the actor, and the steps of a write that store it; the last step inserts the row. */
export function prepareSession(db: Database, env: GatewayEnv, { action_date: now, ...owner }: Actor) {
  return toSessionSteps(db, env, { ...owner, kind: "session", now, lifeMs: SESSION_LIFE_MS });
}

/** Like `prepareSession` for a session in the name of another user. It ends no later than the session of its maker. */
export function prepareDelegatedSession(
  db: Database,
  env: GatewayEnv,
  { account_id, user_id }: Owner,
  { key: maker_key, expires_at }: Principal,
  { action_date: now, host, user_agent }: Actor,
) {
  const lifeMs = Math.min(DELEGATED_LIFE_MS, expires_at - now);
  return toSessionSteps(db, env, { account_id, user_id, host, user_agent, kind: "delegated", now, lifeMs, maker_key });
}

function toSessionSteps(db: Database, env: GatewayEnv, session: NewCredential) {
  const hash = generateHash(env);
  const live = isLiveSession(session.account_id, session.user_id, session.now);
  const steps = {
    quota: demand(isCountBelow(live, Number(env.SESSIONS_PER_USER)), () => new ApiError(104)),
    session: db.insert(credential).values(toCredentialRow(keyOf(hash, env), session)),
  };
  return { hash, steps };
}

function isLiveSession(account_id: number | SQL, user_id: number | SQL, now: number) {
  return and(
    eq(credential.account_id, account_id),
    eq(credential.user_id, user_id),
    sql`${credential.kind} IN ('session', 'delegated')`,
    gt(credential.expires_at, now),
  );
}

/** Creates a session of an operator whose password was checked, and answers its hash. */
export async function insertOperatorSession(
  db: Database,
  env: GatewayEnv,
  { id, password }: typeof operator.$inferSelect,
  { action_date: now, host, user_agent }: Actor,
) {
  const hash = generateHash(env);
  const session = { account_id: 0, user_id: id, kind: "operator", host, user_agent, now, lifeMs: DAY_MS } as const;
  const canStay = or(isUnblocked(operator.dealer_id), CAN_UNBLOCK_DEALERS);
  const isSame = and(eq(operator.id, id), eq(operator.password, password));
  const matches = (condition?: SQL) => exists(db.select().from(operator).where(and(isSame, condition)));
  await write(db, {
    same: demand(matches(), () => new ApiError(102)),
    dealerIsOpen: demand(matches(canStay), () => new ApiError(11)),
    session: db.insert(credential).values(toCredentialRow(keyOf(hash, env), session)),
  });
  return hash;
}

/** For a demand in front of an insert: concurrent calls must not exceed the limit together. */
export function isCountBelow(condition: SQL | undefined, limit: number) {
  return sql`(SELECT count(*) FROM ${credential} WHERE ${condition}) < ${limit}`;
}

export function toCredentialRow(key: string, { now, lifeMs, ...rest }: NewCredential) {
  return { ...rest, key, id: generateId(), created: now, expires_at: now + lifeMs };
}

export function generateId() {
  return randomInt(MAX_ID);
}

/** Ends the caller's credential without a record in the audit log; answers the keys of all credentials that ended. */
export async function deleteCredential(db: Database, { account_id, key }: Principal) {
  const thisCredential = and(eq(credential.account_id, account_id), eq(credential.key, key));
  const { ended } = await write(db, endCredentials(db, thisCredential));
  return ended.map((one) => one.key);
}

/** Ends the caller's session and records it; answers the keys of all credentials that ended. */
export async function logOut(db: Database, { account_id, user_id, key }: Principal, actor: Actor) {
  const { ended } = await write(db, {
    ...endCredentials(db, and(eq(credential.account_id, account_id), eq(credential.key, key))),
    record: recordChange(db, actor, { is: ["user", "logout"], entry_id: user_id }),
  });
  return ended.map((one) => one.key);
}

/**
 * Steps of a write that end credentials; `ended` answers their keys. Sessions made with them, their push tokens and
 * their pending log-ins end, too.
 */
export function endCredentials(db: Database, condition: SQL | undefined) {
  const keys = sql`(WITH RECURSIVE ending(key) AS (
    SELECT ${credential.key} FROM ${credential} WHERE ${condition}
    UNION SELECT ${credential.key} FROM ${credential} JOIN ending ON ending.key = ${credential.maker_key}
  ) SELECT ending.key FROM ending)`;
  return {
    belongings: [
      db.delete(pushToken).where(sql`${pushToken.key} IN ${keys}`),
      db.delete(pendingLogin).where(sql`${pendingLogin.key} IN ${keys}`),
    ],
    ended: db.delete(credential).where(sql`${credential.key} IN ${keys}`).returning({ key: credential.key }),
  };
}

/** Kinds of credentials that end when the password changes or the user is blocked. API keys and delivery sessions stay. */
export const KINDS_ENDED_WITH_PASSWORD = ["session", "delegated", "activation", "restore", "second_factor"] as const;

/**
 * Condition: credentials mailed to the present login of users who are about to get the login `login_key`. To be used in
 * front of the change; without a new login no credential meets it.
 */
export function isMailedToOldLogin(users: SQL | undefined, login_key: string | undefined) {
  const renamed = sql`SELECT ${user.id} FROM ${user} WHERE ${and(users, ne(user.login_key, login_key ?? user.login_key))}`;
  return and(
    inArray(credential.kind, ["activation", "restore", "second_factor"]),
    sql`${credential.user_id} IN (${renamed})`,
  );
}

export async function renewCredential(db: Database, { account_id, key }: Principal, now: number) {
  const renewed = await db
    .update(credential)
    .set({ expires_at: now + SESSION_LIFE_MS })
    .where(and(eq(credential.account_id, account_id), eq(credential.key, key), gt(credential.expires_at, now)))
    .returning({ key: credential.key });
  if (renewed.length === 0) throw new ApiError(4);
}

/** Ends sessions of users and operators of blocked dealers, at most `MAX_ROWS_PER_SWEEP` at once; answers their keys. */
export async function endBlockedSessions(db: Database): Promise<string[]> {
  const blockedDealers = selectDealerTrees(ne(dealer.block_type, "NOT_BLOCKED"));
  const blocked = sql`SELECT ${credential.key} FROM ${user} JOIN ${credential}
    ON ${credential.account_id} = coalesce(${user.master_id}, ${user.id}) AND ${credential.user_id} = ${user.id}
    WHERE ${user.dealer_id} IN ${blockedDealers} AND ${credential.kind} IN ('session', 'delegated')
    UNION ALL SELECT ${credential.key} FROM ${operator} JOIN ${credential}
    ON ${credential.account_id} = 0 AND ${credential.user_id} = ${operator.id}
    WHERE ${operator.dealer_id} IN ${blockedDealers} AND ${credential.kind} = 'operator' AND NOT ${CAN_UNBLOCK_DEALERS}
    ORDER BY 1 LIMIT ${MAX_ROWS_PER_SWEEP}`;
  // Sorted above, so that all statements of this write select the same rows.
  const { ended } = await write(db, endCredentials(db, sql`${credential.key} IN (${blocked})`));
  return ended.map(({ key }) => key);
}

/** The keys of all credentials of users and operators of these dealers, whose guards must be refreshed. */
export function selectKeysOfDealers(db: Database, dealers: SQL) {
  const users = sql`SELECT ${user.id} FROM ${user} WHERE ${user.dealer_id} IN ${dealers}`;
  const accounts = sql`SELECT coalesce(${user.master_id}, ${user.id}) FROM ${user} WHERE ${user.dealer_id} IN ${dealers}`;
  const ofUsers = sql`(${credential.account_id} IN (${accounts}) AND ${credential.user_id} IN (${users}))`;
  const operators = sql`SELECT ${operator.id} FROM ${operator} WHERE ${operator.dealer_id} IN ${dealers}`;
  const ofOperators = sql`(${credential.account_id} = 0 AND ${credential.user_id} IN (${operators}))`;
  return db.select({ key: credential.key }).from(credential).where(sql`${ofUsers} OR ${ofOperators}`);
}

/** Deletes expired credentials of all accounts, at most `MAX_ROWS_PER_SWEEP` at once. */
export async function sweepExpired(db: Database, now: number) {
  const ended = db
    .select({ key: credential.key })
    .from(credential)
    .where(lt(credential.expires_at, now))
    .orderBy(asc(credential.expires_at))
    .limit(MAX_ROWS_PER_SWEEP);
  await write(db, endCredentials(db, sql`${credential.key} IN ${ended}`));
}

const master = alias(user, "master");
const IS_MASTER = sql`${master.id} = coalesce(${user.master_id}, ${user.id})`;
const USER_WITH_BLOCKING = {
  user,
  master: { blocked: master.blocked },
  isDealerOpen: sql<number>`${isUnblocked(user.dealer_id)}`,
};
const SESSION_LIFE_MS = 30 * DAY_MS;
const MAX_ROWS_PER_SWEEP = 1000;
/** The last day of the year 9999: credentials that do not expire end only when they are deleted. */
export const LAST_EXPIRY_MS = 253_402_214_400_000;
const DELEGATED_LIFE_MS = DAY_MS;
/** Within the integers that JSON holds exactly, and the largest range that `randomInt` takes. */
const MAX_ID = 2 ** 47;
