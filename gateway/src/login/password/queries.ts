import { and, eq, exists, gt, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demand, demandChange, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../audit/record-queries.ts";
import { LAST_PASSWORDS } from "../../credential/password/queries.ts";
import { endCredentials, KINDS_ENDED_WITH_PASSWORD } from "../../credential/queries.ts";
import { RESEND_WAIT_MS } from "../../mail/resend-wait.ts";
import { credential } from "../../table/credential.ts";
import { type UserRow, user } from "../../table/user.ts";

const master = alias(user, "master");

export async function selectPasswords(db: Database, { user_id }: Principal) {
  const { password, last_passwords } = user;
  const row = await db.select({ password, last_passwords }).from(user).where(eq(user.id, user_id)).get();
  // The user was deleted during the call.
  if (!row) throw new ApiError(4);
  return row;
}

/** Replaces the checked password; 248 if another call has changed it since. Answers the keys of ended credentials. */
export async function replacePassword(db: Database, principal: Principal, old: string, stored: string, actor: Actor) {
  const { ended } = await write(db, {
    update: updatePassword(db, principal, stored, eq(user.password, old)),
    unchanged: demandChange(() => new ApiError(248)),
    record: recordPasswordChange(db, principal, actor),
    ...endCredentials(db, isEndedWithPassword(principal)),
  });
  return ended.map(({ key }) => key);
}

/** Sets the password and ends the link, in one write: of concurrent calls with the link only one succeeds. */
export async function setRestoredPassword(db: Database, principal: Principal, stored: string, actor: Actor) {
  const now = actor.action_date;
  const link = and(eq(credential.key, principal.key), eq(credential.kind, "restore"), gt(credential.expires_at, now));
  const { ended } = await write(db, {
    unused: demand(exists(db.select().from(credential).where(link)), () => new ApiError(4)),
    update: updatePassword(db, principal, stored),
    record: recordPasswordChange(db, principal, actor),
    ...endCredentials(db, isEndedWithPassword(principal)),
  });
  return ended.map(({ key }) => key);
}

/** Claims the one mail in five minutes and answers the user to write to; undefined if there is none. */
export async function claimRestoreMail(db: Database, login: string, now: number): Promise<UserRow | undefined> {
  const isDemo = sql`EXISTS (SELECT 1 FROM ${user} AS ${sql.identifier("master")}
    WHERE ${master.id} = coalesce(${user.master_id}, ${user.id}) AND ${master.demo})`;
  const [claimed] = await db
    .update(user)
    .set({ restore_sent_at: now })
    .where(
      and(
        eq(user.login_key, login.toLowerCase()),
        eq(user.activated, true),
        eq(user.blocked, false),
        sql`NOT ${isDemo}`,
        or(isNull(user.restore_sent_at), lte(user.restore_sent_at, now - RESEND_WAIT_MS)),
      ),
    )
    .returning();
  return claimed;
}

/** A write without effect that takes as long as any other. */
export async function writeNothing(db: Database) {
  await db.delete(credential).where(eq(credential.key, ""));
}

function updatePassword(db: Database, { user_id }: Principal, stored: string, condition?: SQL) {
  return db
    .update(user)
    .set({ password: stored, last_passwords: LAST_PASSWORDS })
    .where(and(eq(user.id, user_id), condition));
}

function recordPasswordChange(db: Database, { user_id }: Principal, actor: Actor) {
  return recordChange(db, actor, { is: ["user", "password_change"], entry_id: user_id });
}

function isEndedWithPassword({ account_id, user_id }: Principal) {
  return and(
    eq(credential.account_id, account_id),
    eq(credential.user_id, user_id),
    inArray(credential.kind, KINDS_ENDED_WITH_PASSWORD),
  );
}
