import { and, asc, eq, or, sql } from "drizzle-orm";
import { type Actor, membersOf, someOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow, throwIfTaken } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { demand, demandChange, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../audit/record-queries.ts";
import { demandMayLogIn, endCredentials, isMailedToOldLogin, prepareDelegatedSession } from "../credential/queries.ts";
import type { GatewayEnv } from "../env.ts";
import { NO_SECOND_FACTOR } from "../login/second-factor/totp.ts";
import { credential } from "../table/credential.ts";
import { subUserTracker } from "../table/sub-user-tracker.ts";
import { uiSetting } from "../table/ui-setting.ts";
import { type UserRow, user } from "../table/user.ts";
import { userRemoval } from "../table/user-removal.ts";
import { webhook } from "../table/webhook.ts";
import {
  belongsToUser,
  belongsToUsers,
  isSubUser,
  isSubUserOf,
  selectMasterKeys,
  selectSubUserKeys,
} from "./account/queries.ts";
import { groupExists } from "./group/queries.ts";
import type { NewSubUser, SubUserChanges } from "./schema.ts";

/** Creates a sub-user; answers its id and the keys of the master's credentials, whose guards must learn of it. */
export async function insertSubUser(
  db: Database,
  principal: Principal,
  input: NewSubUser,
  password: string,
  actor: Actor,
) {
  const { account_id, limits } = principal;
  const row = {
    ...input,
    master_id: account_id,
    login_key: input.login.toLowerCase(),
    password,
    // The master vouches for the address, so no mail verifies it.
    verified: true,
    creation_date: actor.action_date,
    limits: {},
  } satisfies Partial<UserRow>;
  const inherited = INHERITED_COLUMNS.map((name) => sql.identifier(name));
  const payload = { login: input.login };
  const { newUser, keys } = await write(db, {
    group: demand(groupExists(principal, input.security_group_id), () => new ApiError(201)),
    quota: demand(
      sql`(SELECT count(*) FROM ${user} WHERE ${isSubUserOf(principal)}) < ${limits.subusers}`,
      () => new ApiError(268),
    ),
    created: db.run(sql`
      INSERT INTO ${user} (${sql.join([...columnNamesOf(row), ...inherited], sql`, `)})
      SELECT ${sql.join([...columnValuesOf(row), ...INHERITED_COLUMNS.map((name) => sql`${user[name]}`)], sql`, `)}
      FROM ${user} WHERE ${user.id} = ${account_id}`),
    // The master may have been removed meanwhile.
    master: demandChange(() => new ApiError(268)),
    newUser: db.select({ id: sql<number>`last_insert_rowid()` }).from(sql`(SELECT 1)`),
    record: recordChange(db, actor, { is: ["subuser", "register"], entry_id: sql`last_insert_rowid()`, payload }),
    keys: selectMasterKeys(db, principal),
  }).catch(throwIfTaken(206));
  return { id: onlyRow(newUser).id, keys: keys.map(({ key }) => key) };
}

export function selectSubUsers(db: Database, principal: Principal) {
  return db.select().from(user).where(isSubUserOf(principal)).orderBy(asc(user.id));
}

/** Changes a sub-user; answers the keys of all its credentials, whose guards must be refreshed. */
export async function changeSubUser(
  db: Database,
  principal: Principal,
  { id, ...input }: SubUserChanges,
  actor: Actor,
) {
  const { login, activated, security_group_id = null } = input;
  const subUser = isSubUserOf(principal, eq(user.id, id));
  // Also ends sessions that began while the sub-user was being deactivated: they must not revive with its activation.
  const shutOut = and(subUser, sql`(NOT ${user.activated} OR ${activated === false ? 1 : 0})`);
  const payload = { changed: membersOf(input) };
  const { ended, remaining } = await write(db, {
    group: demand(groupExists(principal, security_group_id), () => new ApiError(201)),
    ...endCredentials(
      db,
      or(belongsToUsers(principal, credential, shutOut), isMailedToOldLogin(subUser, login?.toLowerCase())),
    ),
    update: db
      .update(user)
      // Sets `master_id`, because an update without columns would be an error.
      .set({
        master_id: principal.account_id,
        ...input,
        ...(input.second_factor && NO_SECOND_FACTOR),
        login_key: login?.toLowerCase(),
      })
      .where(subUser),
    exists: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, { is: ["subuser", "update"], entry_id: id, payload }),
    remaining: selectSubUserKeys(db, principal, eq(user.id, id)),
  }).catch(throwIfTaken(206));
  return [...ended, ...remaining].map(({ key }) => key);
}

/** Deletes a sub-user and its data; answers the keys of its ended and its master's credentials, and the ids of its webhooks. */
export async function removeSubUser(db: Database, principal: Principal, id: number, actor: Actor) {
  const subUser = isSubUserOf(principal, eq(user.id, id));
  const login = sql`(SELECT json_object('login', ${user.login}) FROM ${user} WHERE ${subUser})`;
  const { ended, remaining, webhooks } = await write(db, {
    exists: demand(isSubUser(principal, id), () => new ApiError(201)),
    // In front of the deletion: the entry reads the login from the row.
    record: recordChange(db, actor, { is: ["subuser", "delete"], entry_id: id, payload: login }, sql`true`),
    ...endCredentials(db, belongsToUser(principal, credential, id)),
    settings: db.delete(uiSetting).where(belongsToUser(principal, uiSetting, id)),
    trackers: db.delete(subUserTracker).where(isBoundTo(principal, id)),
    webhooks: db
      .delete(webhook)
      .where(and(eq(webhook.account_id, principal.account_id), eq(webhook.user_id, id)))
      .returning({ id: webhook.id }),
    user: db.delete(user).where(subUser),
    removed: db.insert(userRemoval).values({ id, account_id: principal.account_id }).onConflictDoNothing(),
    remaining: selectMasterKeys(db, principal),
  });
  return { keys: [...ended, ...remaining].map(({ key }) => key), webhook_ids: webhooks.map(({ id }) => id) };
}

/** Binds trackers to a sub-user; answers the keys of its credentials, whose guards must be refreshed. */
export async function bindTrackers(
  db: Database,
  principal: Principal,
  id: number,
  tracker_ids: number[],
  actor: Actor,
) {
  const trackers = sql`json_each(${JSON.stringify(tracker_ids)})`;
  const { keys } = await write(db, {
    exists: demand(isSubUser(principal, id), () => new ApiError(201)),
    bound: db
      .insert(subUserTracker)
      .select(sql`SELECT ${principal.account_id}, ${id}, value FROM ${trackers} WHERE true`)
      .onConflictDoNothing(),
    record: recordChange(db, actor, {
      is: ["subuser_tracker", "bind"],
      entry_id: id,
      payload: toBindingPayload(tracker_ids),
    }),
    keys: selectSubUserKeys(db, principal, eq(user.id, id)),
  });
  return keys.map(({ key }) => key);
}

/** Unbinds trackers from a sub-user; answers the keys of its credentials, whose guards must be refreshed. */
export async function unbindTrackers(
  db: Database,
  principal: Principal,
  id: number,
  tracker_ids: number[],
  actor: Actor,
) {
  const { keys } = await write(db, {
    exists: demand(isSubUser(principal, id), () => new ApiError(201)),
    unbound: db
      .delete(subUserTracker)
      .where(and(isBoundTo(principal, id), among(subUserTracker.tracker_id, tracker_ids))),
    record: recordChange(db, actor, {
      is: ["subuser_tracker", "unbind"],
      entry_id: id,
      payload: toBindingPayload(tracker_ids),
    }),
    keys: selectSubUserKeys(db, principal, eq(user.id, id)),
  });
  return keys.map(({ key }) => key);
}

export async function selectBoundTrackers(db: Database, principal: Principal, id: number) {
  const { bound } = await read(db, {
    exists: demand(isSubUser(principal, id), () => new ApiError(201)),
    bound: db
      .select({ tracker_id: subUserTracker.tracker_id })
      .from(subUserTracker)
      .where(isBoundTo(principal, id))
      .orderBy(asc(subUserTracker.tracker_id)),
  });
  return bound.map(({ tracker_id }) => tracker_id);
}

/** Creates a session of a sub-user for its master, if the sub-user may log in; answers the hash. */
export async function insertSubUserSession(
  db: Database,
  env: GatewayEnv,
  principal: Principal,
  id: number,
  actor: Actor,
) {
  const owner = { account_id: principal.account_id, user_id: id };
  const { hash, steps } = prepareDelegatedSession(db, env, owner, principal, actor);
  await write(db, {
    ...demandMayLogIn(db, isSubUserOf(principal, eq(user.id, id))),
    ...steps,
    record: recordChange(db, actor, { is: ["subuser", "session_create"], entry_id: id }),
  });
  return hash;
}

function toBindingPayload(tracker_ids: number[]) {
  const { ids: trackers, ...rest } = someOf(tracker_ids);
  return { trackers, ...rest };
}

function isBoundTo({ account_id }: Principal, id: number) {
  return and(eq(subUserTracker.account_id, account_id), eq(subUserTracker.sub_user_id, id));
}

function columnNamesOf(row: Partial<UserRow>) {
  return Object.keys(row).map((name) => sql.identifier(name));
}

function columnValuesOf(row: Partial<UserRow>) {
  // The members of a row are columns of its table.
  return Object.entries(row).map(([name, value]) => sql`${sql.param(value, user[name as keyof UserRow])}`);
}

/** Columns that a new sub-user takes over from its master. */
const INHERITED_COLUMNS = [
  "dealer_id",
  "time_zone",
  "locale",
  "measurement_system",
  "default_geocoder",
  "route_provider",
  "date_format",
  "hour_mode",
] as const;
