import { and, eq, exists, gt, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { demand, demandChange, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { recordChange } from "../../audit/record-queries.ts";
import {
  demandMayLogIn,
  endCredentials,
  isCountBelow,
  prepareSession,
  selectUserWithBlocking,
  toCredentialRow,
} from "../../credential/queries.ts";
import type { GatewayEnv } from "../../env.ts";
import { RESEND_WAIT_MS, tooSoonError } from "../../mail/resend-wait.ts";
import type { toMailRow } from "../../mail/send.ts";
import { credential } from "../../table/credential.ts";
import { dealer } from "../../table/dealer.ts";
import { mail } from "../../table/mail.ts";
import { pendingLogin } from "../../table/pending-login.ts";
import { user } from "../../table/user.ts";

type PendingLogin = { key: string; account_id: number; user_id: number; code: string | null; now: number };
/** A right TOTP code: the number of its half minute, and the sealed secret that it was checked with. */
export type UsedCode = { sealed: string; step: number };
type Factor = typeof pendingLogin.$inferInsert.factor;

/** Stores a pending log-in and the mail with its code; 105 if too many log-ins of the user are pending. */
export async function insertMailedLogin(db: Database, pending: PendingLogin, letter: ReturnType<typeof toMailRow>) {
  const { queued } = await write(db, {
    ...toPendingSteps(db, pending, "email"),
    queued: db.insert(mail).values(letter).returning(),
  });
  return onlyRow(queued);
}

/** Stores a pending log-in whose code the user's authenticator shows; 105 if too many are pending. */
export async function insertTotpLogin(db: Database, pending: PendingLogin) {
  await write(db, toPendingSteps(db, pending, "totp"));
}

function toPendingSteps(db: Database, { key, code, now, ...owner }: PendingLogin, factor: Factor) {
  const waiting = and(
    eq(credential.account_id, owner.account_id),
    eq(credential.user_id, owner.user_id),
    eq(credential.kind, "second_factor"),
    gt(credential.expires_at, now),
  );
  const row = toCredentialRow(key, { ...owner, kind: "second_factor", now, lifeMs: CODE_LIFE_MS });
  return {
    quota: demand(isCountBelow(waiting, MAX_PENDING_PER_USER), () => new ApiError(105)),
    credential: db.insert(credential).values(row),
    pending: db.insert(pendingLogin).values({ key, user_id: owner.user_id, factor, code }),
  };
}

/** Counts a try before its code is checked, so that concurrent tries get no further than sequential ones. */
export async function countTry(db: Database, { key, user_id }: Principal) {
  const { counted, owners } = await write(db, {
    counted: db
      .update(pendingLogin)
      .set({ failures: sql`${pendingLogin.failures} + 1` })
      .where(and(eq(pendingLogin.key, key), lt(pendingLogin.failures, MAX_TRIES)))
      .returning(),
    owners: selectUserWithBlocking(db, eq(user.id, user_id)),
  });
  const [pending] = counted;
  const [owner] = owners;
  if (!pending || !owner) throw new ApiError(4);
  const { factor, code, failures } = pending;
  return { ...owner, factor, code, isLast: failures >= MAX_TRIES };
}

/** Replaces the pending log-in by a session, in one write; 104, with the log-in still pending, if the user has too many. */
export async function replacePendingLogin(
  db: Database,
  env: GatewayEnv,
  { key, account_id, user_id }: Principal,
  actor: Actor,
  used: UsedCode | undefined,
) {
  const now = actor.action_date;
  const pending = and(eq(credential.account_id, account_id), eq(credential.key, key));
  const matches = (condition?: SQL) => exists(db.select().from(credential).where(and(pending, condition)));
  const { hash, steps } = prepareSession(db, env, actor);
  await write(db, {
    isPending: demand(matches(), () => new ApiError(4)),
    isUnused: demand(used && isCodeUnused(user_id, used), () => new ApiError(282)),
    // The log-in may have expired during the call.
    isUnexpired: demand(matches(gt(credential.expires_at, now)), () => new ApiError(104)),
    ...demandMayLogIn(db, eq(user.id, user_id)),
    ...steps,
    record: recordChange(db, actor, { is: ["user", "login"], entry_id: user_id }),
    use: used && db.update(user).set({ totp_step: used.step }).where(eq(user.id, user_id)),
    ...endCredentials(db, pending),
  });
  return hash;
}

/** For a demand: the secret is unchanged, and no code of this half minute or a later one has been used. */
export function isCodeUnused(user_id: number, { sealed, step }: UsedCode) {
  const isLater = or(isNull(user.totp_step), lt(user.totp_step, step));
  return sql`EXISTS (SELECT 1 FROM ${user} WHERE ${and(eq(user.id, user_id), eq(user.totp_sealed, sealed), isLater)})`;
}

/** Stores a new TOTP secret, which takes effect once it is turned on; 265 if one is on. Answers what apps show with it. */
export async function replaceTotp(db: Database, { user_id, dealer_id }: Principal, sealed: string, actor: Actor) {
  const { changed, presented } = await write(db, {
    changed: db
      .update(user)
      .set({ totp_sealed: sealed, totp_step: null })
      .where(and(eq(user.id, user_id), ne(user.second_factor, "totp")))
      .returning({ login: user.login }),
    isOff: demandChange(() => new ApiError(265)),
    record: recordChange(db, actor, { is: ["user", "totp_create"], entry_id: user_id }),
    presented: db.select({ settings: dealer.settings }).from(dealer).where(eq(dealer.id, dealer_id)),
  });
  return { ...onlyRow(changed), ...onlyRow(presented) };
}

/** Claims the one mail in five minutes and answers the user to write to. 230: an authenticator; 264: too soon. */
export async function claimCodeMail(db: Database, { key, user_id }: Principal, code: string, now: number) {
  const isPending = eq(pendingLogin.key, key);
  const isDue = or(isNull(pendingLogin.sent_at), lte(pendingLogin.sent_at, now - RESEND_WAIT_MS));
  const { claimed, waiting, owners } = await write(db, {
    claimed: db
      .update(pendingLogin)
      .set({ code, sent_at: now })
      .where(and(isPending, eq(pendingLogin.factor, "email"), isDue))
      .returning({ key: pendingLogin.key }),
    waiting: db.select().from(pendingLogin).where(isPending),
    owners: db.select().from(user).where(eq(user.id, user_id)),
  });
  const [pending] = waiting;
  const [owner] = owners;
  if (!pending || !owner) throw new ApiError(4);
  if (pending.factor === "totp") throw new ApiError(230);
  if (claimed.length === 0) throw tooSoonError(pending.sent_at ?? now, now);
  return owner;
}

export async function insertMail(db: Database, letter: ReturnType<typeof toMailRow>) {
  return onlyRow(await db.insert(mail).values(letter).returning());
}

const CODE_LIFE_MS = 10 * MINUTE_MS;
const MAX_TRIES = 10;
const MAX_PENDING_PER_USER = 10;
