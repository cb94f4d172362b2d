import { and, eq, gt, isNull, lt, lte, or, sql } from "drizzle-orm";
import { ApiError } from "#shared/api-error.ts";
import type { Actor } from "#shared/audit.ts";
import { type Database, only } from "#shared/database.ts";
import type { Principal } from "#shared/principal.ts";
import { recording } from "../audit/record.ts";
import type { GatewayEnv } from "../env.ts";
import type { mailRow } from "../mail/send.ts";
import { mail } from "../mail/table.ts";
import { RESEND_WAIT_MS, tooSoon } from "../mail/wait.ts";
import { keyOf } from "../session/hash.ts";
import { endCredentials, insertionUnlessFull, newSession, selectUser } from "../session/queries.ts";
import { credential } from "../session/table.ts";
import { user } from "../user/table.ts";
import { pendingLogin } from "./table.ts";

type Pending = { key: string; account_id: number; user_id: number; code: string; now: number };

/** The log-in that waits for its code, and the mail with it; only so many of a user wait at once. */
export async function insertPending(
  db: Database,
  { key, code, now, ...owner }: Pending,
  letter: ReturnType<typeof mailRow>,
) {
  const waiting = and(
    eq(credential.account_id, owner.account_id),
    eq(credential.user_id, owner.user_id),
    eq(credential.kind, "second_factor"),
    gt(credential.expires_at, now),
  );
  const row = { ...owner, kind: "second_factor" as const, now, lifeMs: CODE_MS };
  const isInserted = sql`EXISTS (SELECT 1 FROM ${credential} WHERE ${credential.key} = ${key})`;
  const { dealer_id, to, subject, text, html, created, due, tries } = letter;
  const [, , queued] = await db.batch([
    insertionUnlessFull(db, key, row, waiting, PENDING_PER_USER),
    db.run(sql`INSERT INTO ${pendingLogin} (key, user_id, factor, code)
      SELECT ${key}, ${owner.user_id}, 'email', ${code} WHERE ${isInserted}`),
    db
      .insert(mail)
      .select(
        sql`SELECT NULL, ${dealer_id}, ${to}, ${subject}, ${text}, ${html}, ${created}, ${due}, ${tries} WHERE ${isInserted}`,
      )
      .returning(),
  ]);
  if (queued.length === 0) throw new ApiError(105);
  return only(queued);
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
  return { ...owner, code: taken.code, isLast: taken.failures >= TRIES };
}

/** A session in place of the pending log-in, in one transaction; where there is no room for it, that one stays. */
export async function replacePending(
  db: Database,
  env: GatewayEnv,
  { key, account_id, user_id }: Principal,
  actor: Actor,
) {
  const now = actor.action_date;
  const pending = and(eq(credential.account_id, account_id), eq(credential.key, key));
  const isLive = sql`EXISTS (SELECT 1 FROM ${credential} WHERE ${pending} AND ${credential.expires_at} > ${now})`;
  const { hash, insertion } = newSession(db, env, { account_id, user_id }, "session", now, isLive);
  const isInserted = sql`EXISTS (SELECT 1 FROM ${credential} WHERE ${credential.key} = ${keyOf(hash, env)})`;
  const [inserted, , , , , left] = await db.batch([
    insertion,
    recording(db, actor, { is: ["user", "login"], entry_id: user_id }),
    ...endCredentials(db, and(pending, isInserted)),
    db.select({ key: credential.key }).from(credential).where(pending),
  ]);
  if (inserted.length === 0) throw new ApiError(left.length > 0 ? 104 : 4);
  return hash;
}

/** Takes the one mail in five minutes for this call, or throws; the answer is whom to write to. */
export async function claimCode(db: Database, { key, user_id }: Principal, code: string, now: number) {
  const wanted = eq(pendingLogin.key, key);
  const isTime = or(isNull(pendingLogin.sent_at), lte(pendingLogin.sent_at, now - RESEND_WAIT_MS));
  const [claimed, [found], [owner]] = await db.batch([
    db.update(pendingLogin).set({ code, sent_at: now }).where(and(wanted, isTime)).returning({ key: pendingLogin.key }),
    db.select().from(pendingLogin).where(wanted),
    db.select().from(user).where(eq(user.id, user_id)),
  ]);
  if (!found || !owner) throw new ApiError(4);
  if (claimed.length === 0) throw tooSoon(found.sent_at ?? now, now);
  return owner;
}

export async function insertMail(db: Database, letter: ReturnType<typeof mailRow>) {
  return only(await db.insert(mail).values(letter).returning());
}

export const CODE_MS = 10 * 60_000;
const TRIES = 10;
const PENDING_PER_USER = 10;
