import { and, asc, eq, exists, ne, notExists, or, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { endCredentials } from "../../credential/queries.ts";
import { audit } from "../../table/audit.ts";
import { credential } from "../../table/credential.ts";
import { event } from "../../table/event.ts";
import { eventSequence } from "../../table/event-sequence.ts";
import { mail } from "../../table/mail.ts";
import { mailAgreement } from "../../table/mail-agreement.ts";
import { menu } from "../../table/menu.ts";
import { pushDelivery } from "../../table/push/push-delivery.ts";
import { pushEvent } from "../../table/push/push-event.ts";
import { removedUser } from "../../table/removed-user.ts";
import { securityGroup } from "../../table/security-group.ts";
import { subUserTracker } from "../../table/sub-user-tracker.ts";
import { uiSetting } from "../../table/ui-setting.ts";
import { user } from "../../table/user.ts";
import { userRemoval } from "../../table/user-removal.ts";
import { webhook } from "../../table/webhook.ts";
import { zoneChange } from "../../table/zone-change.ts";
import { isReachable } from "../master/queries.ts";

/** Deletes a master, its sub-users and their data in this database; answers the keys of the ended credentials and the ids of webhooks. */
export async function removeUser(db: Database, principal: Principal, user_id: number, login: string) {
  const master = isReachable(principal, eq(user.id, user_id));
  const ofAccount = or(eq(user.id, user_id), eq(user.master_id, user_id));
  const isAnother = and(master, ne(user.login_key, login.toLowerCase()));
  const isRemoved = and(eq(removedUser.id, user_id), isRemovedFromDealer(principal));
  const { ended, deleted, webhooks } = await write(db, {
    login: demand(notExists(db.select().from(user).where(isAnother)), () => invalid("login", "is not the user's")),
    removedUser: db.insert(removedUser).select(sql`SELECT ${user.id}, ${user.dealer_id} FROM ${user} WHERE ${master}`),
    // Also true after an earlier call, which this one repeats.
    exists: demand(exists(db.select().from(removedUser).where(isRemoved)), () => new ApiError(201)),
    ...endCredentials(db, and(eq(credential.account_id, user_id), ne(credential.kind, "operator"))),
    settings: db.delete(uiSetting).where(eq(uiSetting.account_id, user_id)),
    trackers: db.delete(subUserTracker).where(eq(subUserTracker.account_id, user_id)),
    groups: db.delete(securityGroup).where(eq(securityGroup.account_id, user_id)),
    webhooks: db.delete(webhook).where(eq(webhook.account_id, user_id)).returning({ id: webhook.id }),
    zones: db.delete(zoneChange).where(eq(zoneChange.account_id, user_id)),
    // Mails have no user id: only the logins, deleted below, tell whose they are.
    mails: db.delete(mail).where(sql`${mail.to} IN (SELECT ${user.login} FROM ${user} WHERE ${ofAccount})`),
    outbox: db.insert(userRemoval).values({ id: user_id, account_id: user_id }).onConflictDoNothing(),
    deleted: db.delete(user).where(ofAccount).returning({ id: user.id }),
    menus: db.delete(menu).where(eq(menu.user_id, user_id)),
  });
  return {
    keys: ended.map(({ key }) => key),
    webhook_ids: webhooks.map(({ id }) => id),
    isNew: deleted.length > 0,
  };
}

/** Deletes a batch of the remaining rows of removed accounts, but not `removed_user`; false if there may be more. */
export async function eraseBatch(db: Database, accounts: number[]): Promise<boolean> {
  const some = sql`SELECT ${audit.id} FROM ${audit} WHERE ${among(audit.account_id, accounts)} LIMIT ${MAX_ROWS_PER_ERASURE}`;
  const someEvents = sql`SELECT rowid FROM ${event} WHERE ${among(event.account_id, accounts)} LIMIT ${MAX_ROWS_PER_ERASURE}`;
  const events = sql`(SELECT ${pushEvent.id} FROM ${pushEvent} WHERE ${among(pushEvent.account_id, accounts)})`;
  const { erased, erasedEvents } = await write(db, {
    erased: db.delete(audit).where(sql`${audit.id} IN (${some})`).returning({ id: audit.id }),
    erasedEvents: db.delete(event).where(sql`rowid IN (${someEvents})`).returning({ sequence: event.sequence }),
    sequences: db.delete(eventSequence).where(among(eventSequence.account_id, accounts)),
    deliveries: db.delete(pushDelivery).where(sql`${pushDelivery.push_event_id} IN ${events}`),
    events: db.delete(pushEvent).where(among(pushEvent.account_id, accounts)),
    mails: db.delete(mail).where(among(mail.account_id, accounts)),
    agreements: db.delete(mailAgreement).where(among(mailAgreement.account_id, accounts)),
  });
  return Math.max(erased.length, erasedEvents.length) < MAX_ROWS_PER_ERASURE;
}

/** Removed users whose removal is not delivered to all services yet. */
export function selectRemovals(db: Database, limit: number) {
  return db.select().from(userRemoval).orderBy(asc(userRemoval.id)).limit(limit);
}

export async function deleteRemovals(db: Database, ids: number[]) {
  await db.delete(userRemoval).where(among(userRemoval.id, ids));
}

const MAX_ROWS_PER_ERASURE = 5000;

function isRemovedFromDealer({ dealer_id, permissions }: Principal) {
  const global = permissions.users?.includes("global") ? 1 : 0;
  return sql`(${removedUser.dealer_id} = ${dealer_id} OR ${global})`;
}
