import { and, asc, count, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Actor, membersOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow, throwIfTaken } from "#shared/database/rows.ts";
import { demandChange, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../audit/record-queries.ts";
import { refreshGuards } from "../../credential/guard/refresh.ts";
import { LAST_PASSWORDS } from "../../credential/password/queries.ts";
import { endCredentials, generateId, isMailedToOldLogin, KINDS_ENDED_WITH_PASSWORD } from "../../credential/queries.ts";
import type { GatewayEnv } from "../../env.ts";
import { ACTIVATION_LIFE_MS } from "../../mail/link.ts";
import { credential } from "../../table/credential.ts";
import { dealer } from "../../table/dealer.ts";
import { mail } from "../../table/mail.ts";
import { type UserRow, user } from "../../table/user.ts";
import { insertZoneChange } from "../account-zone/queries.ts";

export const USER_ORDERS = ["id", "login", "creation_date", "last_name"] as const;
type NewUser = typeof user.$inferInsert;
type ActivationLink = { key: string; letter: typeof mail.$inferInsert };
export type UserSearch = {
  filter: string | null;
  order_by: (typeof USER_ORDERS)[number];
  ascending: boolean;
  hide_inactive: boolean;
  offset: number;
  limit: number;
};

/** Condition: masters of the operator's dealer; of all dealers if the operator has the permission `global`. */
export function isReachable({ dealer_id, permissions }: Principal, ...conditions: (SQL | undefined)[]) {
  const global = permissions.users?.includes("global") ? 1 : 0;
  return and(isNull(user.master_id), sql`(${user.dealer_id} = ${dealer_id} OR ${global})`, ...conditions);
}

export async function requireUser(db: Database, principal: Principal, id: number) {
  const row = await db
    .select()
    .from(user)
    .where(isReachable(principal, eq(user.id, id)))
    .get();
  if (!row) throw new ApiError(201);
  return toPanelUser(row);
}

export async function userExists(db: Database, principal: Principal, id: number) {
  const rows = await db
    .select({ id: user.id })
    .from(user)
    .where(isReachable(principal, eq(user.id, id)));
  return rows.length > 0;
}

export async function selectUsers(db: Database, principal: Principal, search: UserSearch) {
  const { filter, order_by, ascending, hide_inactive, offset, limit } = search;
  const names = sql`lower(${user.login} || ' ' || ${user.first_name} || ' ' || ${user.last_name} || ' ' || coalesce(${user.legal_name}, ''))`;
  const visible = isReachable(
    principal,
    filter ? sql`instr(${names}, lower(${filter})) > 0` : undefined,
    hide_inactive ? and(eq(user.activated, true), eq(user.blocked, false)) : undefined,
  );
  const direction = ascending ? asc : desc;
  const { rows, counted } = await read(db, {
    rows: db
      .select()
      .from(user)
      .where(visible)
      .orderBy(direction(user[order_by]), asc(user.id))
      .limit(limit)
      .offset(offset),
    counted: db.select({ count: count() }).from(user).where(visible),
  });
  return { users: rows.map(toPanelUser), count: onlyRow(counted).count };
}

/** Creates a master, and with `link` its activation credential and mail; answers its id and the mail. */
export async function insertUser(db: Database, row: NewUser, actor: Actor, link?: ActivationLink) {
  const { dealer_id, login, login_key, creation_date: created } = row;
  const tariff = sql`(SELECT ${dealer.tracker_defaults} ->> '$.tariff_id' FROM ${dealer} WHERE ${dealer.id} = ${dealer_id})`;
  // Found by login, because `last_insert_rowid()` changes with the inserts in between.
  const id = sql`(SELECT ${user.id} FROM ${user} WHERE ${user.login_key} = ${login_key})`;
  const owner = { account_id: id, user_id: id, kind: "activation" } as const;
  const change = { is: ["user", "create"], entry_id: id, payload: { login } } as const;
  const { inserted, mails = [] } = await write(db, {
    inserted: db
      .insert(user)
      .values({ ...row, default_tariff_id: row.default_tariff_id ?? tariff })
      .returning({ id: user.id }),
    record: recordChange(db, { ...actor, account_id: id }, change),
    credential:
      link &&
      db
        .insert(credential)
        .values({ ...owner, id: generateId(), key: link.key, created, expires_at: created + ACTIVATION_LIFE_MS }),
    mails: link && db.insert(mail).values(link.letter).returning(),
  }).catch(throwIfTaken(206));
  const [queued] = mails;
  return { ...onlyRow(inserted), queued };
}

/** Changes a master, and refreshes the guards of all credentials of the account, since sub-users depend on it. */
export async function changeUser(
  db: Database,
  env: GatewayEnv,
  principal: Principal,
  user_id: number,
  changes: Partial<UserRow>,
  actor: Actor,
) {
  const ofAccount = eq(credential.account_id, user_id);
  const endedByBlock = changes.blocked
    ? and(ofAccount, inArray(credential.kind, KINDS_ENDED_WITH_PASSWORD))
    : undefined;
  // The audit log does not name internal columns.
  const { login_key, blocked, totp_sealed, totp_step, ...named } = changes;
  const payload = { changed: membersOf(named), blocked };
  const { ended, remaining } = await write(db, {
    // In front of the change, because it compares with the old login.
    ...endCredentials(db, or(endedByBlock, isMailedToOldLogin(eq(user.id, user_id), changes.login_key))),
    update: db
      .update(user)
      // Sets `master_id`, because an update without columns would be an error.
      .set({ master_id: null, ...changes })
      .where(isReachable(principal, eq(user.id, user_id))),
    exists: demandChange(() => new ApiError(201)),
    record: recordChange(db, { ...actor, account_id: user_id }, { is: ["user", "update"], entry_id: user_id, payload }),
    zoneChange: changes.time_zone === undefined ? undefined : insertZoneChange(db, user_id),
    remaining: db.select({ key: credential.key }).from(credential).where(ofAccount),
  }).catch(throwIfTaken(206));
  await refreshGuards(
    env,
    [...ended, ...remaining].map(({ key }) => key),
  );
}

export function findPasswords(db: Database, principal: Principal, id: number) {
  const { password, last_passwords } = user;
  return db
    .select({ password, last_passwords })
    .from(user)
    .where(isReachable(principal, eq(user.id, id)))
    .get();
}

/** Sets a user's password and ends its sessions; its API keys stay. */
export async function changePassword(
  db: Database,
  env: GatewayEnv,
  principal: Principal,
  id: number,
  password: string,
  actor: Actor,
) {
  const { ended } = await write(db, {
    update: db
      .update(user)
      .set({ password, last_passwords: LAST_PASSWORDS })
      .where(isReachable(principal, eq(user.id, id))),
    exists: demandChange(() => new ApiError(201)),
    record: recordChange(db, { ...actor, account_id: id }, { is: ["user", "password_change"], entry_id: id }),
    ...endCredentials(
      db,
      and(
        eq(credential.account_id, id),
        eq(credential.user_id, id),
        inArray(credential.kind, KINDS_ENDED_WITH_PASSWORD),
      ),
    ),
  });
  await refreshGuards(
    env,
    ended.map(({ key }) => key),
  );
}

/** A user as operators see it, without the password and the user's own settings. */
function toPanelUser(row: UserRow) {
  const { id, dealer_id, login, activated, verified, demo, blocked, balance, bonus, creation_date } = row;
  const { time_zone, locale, discount, default_tariff_id, comment, limits } = row;
  const { first_name, middle_name, last_name, legal_type, legal_name, phone, tin, iec, okpo_code, state_reg_num } = row;
  const { post_country, post_region, post_index, post_city, post_street_address } = row;
  const { registered_country, registered_region, registered_index, registered_city, registered_street_address } = row;
  return {
    ...{ id, dealer_id, login, activated, verified, demo, blocked, balance, bonus, creation_date },
    ...{ time_zone, locale, discount, default_tariff_id, comment, limits },
    ...{ first_name, middle_name, last_name, legal_type, legal_name, phone, tin, iec, okpo_code, state_reg_num },
    ...{ post_country, post_region, post_index, post_city, post_street_address },
    ...{ registered_country, registered_region, registered_index, registered_city, registered_street_address },
  };
}
