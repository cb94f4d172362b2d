import { and, eq, gt, isNull, lt, lte, ne, or, sql } from "drizzle-orm";
import { ApiError } from "#shared/api-error.ts";
import type { Actor } from "#shared/audit.ts";
import { MINUTE_MS } from "#shared/clock/duration.ts";
import { type Database, only, rowIf } from "#shared/database.ts";
import type { Principal } from "#shared/principal.ts";
import { recording } from "../audit/record.ts";
import { dealer } from "../dealer/table.ts";
import type { GatewayEnv } from "../env.ts";
import type { mailRow } from "../mail/send.ts";
import { mail } from "../mail/table.ts";
import { RESEND_WAIT_MS, tooSoon } from "../mail/wait.ts";
import { keyOf } from "../session/hash.ts";
import { endCredentials, insertionUnlessFull, newSession, selectUser } from "../session/queries.ts";
import { credential } from "../session/table.ts";
import { user } from "../user/table.ts";
import { pendingLogin } from "./table.ts";

type Pending = { key: string; account_id: number; user_id: number; code: string | null; now: number };
/** A right code, by its half minute, and the key that it is of. */
export type UsedCode = { sealed: string; step: number };
type Factor = typeof pendingLogin.$inferInsert.factor;

/** The log-in that waits for its code, and the mail with it; only so many of a user wait at once. */
export async function insertMailed(db: Database, pending: Pending, letter: ReturnType<typeof mailRow>) {
  const [, , queued] = await db.batch([
    ...pendingStatements(db, pending, "email"),
    db
      .insert(mail)
      .select(rowIf(mail, letter, isInserted(pending.key)))
      .returning(),
  ]);
  if (queued.length === 0) throw new ApiError(105);
  return only(queued);
}

/** The same for a code that the user has at hand. */
export async function insertTimed(db: Database, pending: Pending) {
  const [inserted] = await db.batch(pendingStatements(db, pending, "totp"));
  if (inserted.length === 0) throw new ApiError(105);
}

function pendingStatements(db: Database, { key, code, now, ...owner }: Pending, factor: Factor) {
  const waiting = and(
    eq(credential.account_id, owner.account_id),
    eq(credential.user_id, owner.user_id),
    eq(credential.kind, "second_factor"),
    gt(credential.expires_at, now),
  );
  const row = { ...owner, kind: "second_factor" as const, now, lifeMs: CODE_MS };
  return [
    insertionUnlessFull(db, key, row, waiting, PENDING_PER_USER),
    db.run(sql`INSERT INTO ${pendingLogin} (key, user_id, factor, code)
      SELECT ${key}, ${owner.user_id}, ${factor}, ${code} WHERE ${isInserted(key)}`),
  ] as const;
}

/** Counts the try before it is looked at: many at once get no further than as many in a row. */
export async function takeTry(db: Database, { key, user_id }: Principal) {
  const [[taken], [owner]] = await db.batch([
    db
      .update(pendingLogin)
      .set({ failures: sql`${pendingLogin.failures} + 1` })
      .where(and(eq(pendingLogin.key, key), lt(pendingLogin.failures, TRIES)))
      .returning(),
    selectUser(db, eq(user.id, user_id)),
  ]);
  if (!taken || !owner) throw new ApiError(4);
  const { factor, code, failures } = taken;
  return { ...owner, factor, code, isLast: failures >= TRIES };
}

/** A session in place of the pending log-in, in one transaction; where there is no room for it, that one stays. */
export async function replacePending(
  db: Database,
  env: GatewayEnv,
  { key, account_id, user_id }: Principal,
  actor: Actor,
  used: UsedCode | undefined,
) {
  const now = actor.action_date;
  const pending = and(eq(credential.account_id, account_id), eq(credential.key, key));
  const isLive = sql`EXISTS (SELECT 1 FROM ${credential} WHERE ${pending} AND ${credential.expires_at} > ${now})`;
  const isUnused = used ? sql`EXISTS (SELECT 1 FROM ${user} WHERE ${unusedBy(user_id, used)})` : sql`true`;
  const owner = { account_id, user_id };
  const { hash, insertion } = newSession(db, env, owner, "session", now, sql`${isLive} AND ${isUnused}`);
  const isReplaced = isInserted(keyOf(hash, env));
  const [inserted, , , , , , left] = await db.batch([
    insertion,
    recording(db, actor, { is: ["user", "login"], entry_id: user_id }),
    db
      .update(user)
      .set({ totp_step: sql`max(coalesce(${user.totp_step}, 0), ${used?.step ?? 0})` })
      .where(and(eq(user.id, user_id), isReplaced)),
    ...endCredentials(db, and(pending, isReplaced)),
    db
      .select({ isUnused: sql<number>`${isUnused}` })
      .from(credential)
      .where(pending),
  ]);
  if (inserted.length > 0) return hash;
  const [waiting] = left;
  if (!waiting) throw new ApiError(4);
  throw new ApiError(waiting.isUnused ? 104 : 282);
}

/** The user, as long as the key is still the same and no code of this half minute or a later one was used. */
export function unusedBy(user_id: number, { sealed, step }: UsedCode) {
  const isLater = or(isNull(user.totp_step), lt(user.totp_step, step));
  return and(eq(user.id, user_id), eq(user.totp_sealed, sealed), isLater);
}

/** A new key, in place of one that no log-in asks for yet; the answer is whose it is, for apps to show. */
export async function replaceTotp(db: Database, { user_id, dealer_id }: Principal, sealed: string, actor: Actor) {
  const [[changed], , [own]] = await db.batch([
    db
      .update(user)
      .set({ totp_sealed: sealed, totp_step: null })
      .where(and(eq(user.id, user_id), ne(user.second_factor, "totp")))
      .returning({ login: user.login }),
    recording(db, actor, { is: ["user", "totp_create"], entry_id: user_id }),
    db.select({ settings: dealer.settings }).from(dealer).where(eq(dealer.id, dealer_id)),
  ]);
  if (!changed || !own) throw new ApiError(265);
  return { ...changed, ...own };
}

/** Takes the one mail in five minutes for this call, or throws; the answer is whom to write to. */
export async function claimCode(db: Database, { key, user_id }: Principal, code: string, now: number) {
  const wanted = eq(pendingLogin.key, key);
  const isTime = or(isNull(pendingLogin.sent_at), lte(pendingLogin.sent_at, now - RESEND_WAIT_MS));
  const [claimed, [found], [owner]] = await db.batch([
    db
      .update(pendingLogin)
      .set({ code, sent_at: now })
      .where(and(wanted, eq(pendingLogin.factor, "email"), isTime))
      .returning({ key: pendingLogin.key }),
    db.select().from(pendingLogin).where(wanted),
    db.select().from(user).where(eq(user.id, user_id)),
  ]);
  if (!found || !owner) throw new ApiError(4);
  if (found.factor === "totp") throw new ApiError(230);
  if (claimed.length === 0) throw tooSoon(found.sent_at ?? now, now);
  return owner;
}

export async function insertMail(db: Database, letter: ReturnType<typeof mailRow>) {
  return only(await db.insert(mail).values(letter).returning());
}

function isInserted(key: string) {
  return sql`EXISTS (SELECT 1 FROM ${credential} WHERE ${credential.key} = ${key})`;
}

const CODE_MS = 10 * MINUTE_MS;
const TRIES = 10;
const PENDING_PER_USER = 10;
