import { and, eq, gt, isNull, lte, not, or, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { demandChange, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../audit/record-queries.ts";
import { toCredentialRow } from "../../credential/queries.ts";
import { RESEND_WAIT_MS, tooSoonError } from "../../mail/resend-wait.ts";
import { credential } from "../../table/credential.ts";
import { mail } from "../../table/mail.ts";
import { type UserRow, user } from "../../table/user.ts";

/**
 * Activates the user and ends its activation links, in one write: of concurrent calls with a link only one succeeds.
 * Answers the keys of all credentials of the user, whose guards must be refreshed.
 */
export async function storeActivation(db: Database, { key, account_id, user_id }: Principal, actor: Actor) {
  const isLink = eq(credential.kind, "activation");
  const ofUser = and(eq(credential.account_id, account_id), eq(credential.user_id, user_id));
  const { used, otherLinks, remaining } = await write(db, {
    used: db
      .delete(credential)
      .where(and(eq(credential.key, key), isLink, gt(credential.expires_at, actor.action_date)))
      .returning({ key: credential.key }),
    isGood: demandChange(() => new ApiError(4)),
    update: db.update(user).set({ activated: true, verified: true }).where(eq(user.id, user_id)),
    record: recordChange(db, actor, { is: ["user", "activate"], entry_id: user_id }),
    otherLinks: db.delete(credential).where(and(ofUser, isLink)).returning({ key: credential.key }),
    remaining: db.select({ key: credential.key }).from(credential).where(ofUser),
  });
  return [...used, ...otherLinks, ...remaining].map((one) => one.key);
}

/**
 * Claims the one activation mail in five minutes and answers the user to write to. 201: no such master; 264: too soon;
 * 265: activated already.
 */
export async function claimActivationMail(db: Database, login: string, now: number): Promise<UserRow> {
  const ofMaster = and(eq(user.login_key, login.toLowerCase()), isNull(user.master_id));
  const { claims, masters } = await write(db, {
    claims: db
      .update(user)
      .set({ activation_resent_at: now })
      .where(
        and(
          ofMaster,
          not(isActive),
          or(isNull(user.activation_resent_at), lte(user.activation_resent_at, now - RESEND_WAIT_MS)),
        ),
      )
      .returning(),
    masters: db.select().from(user).where(ofMaster),
  });
  const [claimed] = claims;
  const [master] = masters;
  if (claimed) return claimed;
  if (!master) throw new ApiError(201);
  if (master.activated && master.verified) throw new ApiError(265);
  throw tooSoonError(master.activation_resent_at ?? now, now);
}

/** Stores a credential and the mail with its link. */
export async function insertLinkMail(
  db: Database,
  link: Parameters<typeof toCredentialRow>[1] & { key: string },
  letter: typeof mail.$inferInsert,
) {
  const { key, ...rest } = link;
  const { queued } = await write(db, {
    credential: db.insert(credential).values(toCredentialRow(key, rest)),
    queued: db.insert(mail).values(letter).returning(),
  });
  return onlyRow(queued);
}

const isActive = sql`(${user.activated} AND ${user.verified})`;
