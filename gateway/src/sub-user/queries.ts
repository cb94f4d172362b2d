import { and, asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { ApiError } from "#shared/api-error.ts";
import { type Actor, membersOf, someOf } from "#shared/audit.ts";
import { among, type Database, taken } from "#shared/database.ts";
import type { Principal } from "#shared/principal.ts";
import { recording } from "../audit/record.ts";
import type { GatewayEnv } from "../env.ts";
import { departedUser } from "../removed-user/table.ts";
import { NO_SECOND_FACTOR } from "../second-factor/totp.ts";
import { groupExists } from "../security-group/queries.ts";
import { endCredentials, newSession, requireMayLogIn, selectUser } from "../session/queries.ts";
import { credential } from "../session/table.ts";
import { uiSetting } from "../settings/table.ts";
import { type UserRow, user } from "../user/table.ts";
import { ofMaster, ofUsers, selectKeys, selectKeysOfMaster } from "./of-master.ts";
import type { NewSubUser, SubUserChanges } from "./schema.ts";
import { subUserTracker } from "./table.ts";

/**
 * The limit, the group and the master's settings in the statement that inserts, the login in its unique index. The keys
 * are those of the master's credentials, which have one sub-user more.
 */
export async function insertSubUser(
  db: Database,
  principal: Principal,
  given: NewSubUser,
  password: string,
  actor: Actor,
) {
  const { account_id, limits } = principal;
  const row = {
    ...given,
    master_id: account_id,
    login_key: given.login.toLowerCase(),
    password,
    // Its master answers for it: it gets no mail to prove that the address is its own.
    verified: true,
    creation_date: actor.action_date,
    limits: {},
  } satisfies Partial<UserRow>;
  const group = groupExists(principal, given.security_group_id);
  const payload = { login: given.login };
  const [inserted, , [known], keys] = await db
    .batch([
      db.all<{ id: number }>(sql`
        INSERT INTO ${user} (${sql.join([...namesOf(row), ...INHERITED.map((name) => sql.identifier(name))], sql`, `)})
        SELECT ${sql.join([...valuesOf(row), ...INHERITED.map((name) => sql`${master[name]}`)], sql`, `)}
        FROM ${user} AS ${sql.identifier("master")} WHERE ${master.id} = ${account_id} AND ${group}
        AND (SELECT count(*) FROM ${user} WHERE ${user.master_id} = ${account_id}) < ${limits.subusers}
        RETURNING id`),
      recording(db, actor, { is: ["subuser", "register"], entry_id: sql`last_insert_rowid()`, payload }),
      db.all<{ found: number }>(sql`SELECT ${group} AS found`),
      selectKeysOfMaster(db, principal),
    ])
    .catch(taken(206));
  const [created] = inserted;
  if (!created) throw new ApiError(known?.found ? 268 : 201);
  return { id: created.id, keys: keys.map(({ key }) => key) };
}

export function selectSubUsers(db: Database, principal: Principal) {
  return db.select().from(user).where(ofMaster(principal)).orderBy(asc(user.id));
}

/** The answer is the keys of its credentials, those that ended and those that did not. */
export async function updateSubUser(
  db: Database,
  principal: Principal,
  { id, ...given }: SubUserChanges,
  actor: Actor,
) {
  const { login, activated, security_group_id = null } = given;
  const wanted = and(ofMaster(principal, eq(user.id, id)), groupExists(principal, security_group_id));
  // Also a session that began while the sub-user was being shut out: it must not come to life when it is let in again.
  const shutOut = and(wanted, sql`(NOT ${user.activated} OR ${activated === false ? 1 : 0})`);
  const payload = { changed: membersOf(given) };
  const [, , ended, updated, , kept] = await db
    .batch([
      ...endCredentials(db, ofUsers(principal, credential, shutOut)),
      db
        .update(user)
        // Nothing to change is no reason to fail, but the sub-user must be there.
        .set({
          master_id: principal.account_id,
          ...given,
          ...(given.second_factor && NO_SECOND_FACTOR),
          login_key: login?.toLowerCase(),
        })
        .where(wanted)
        .returning({ id: user.id }),
      recording(db, actor, { is: ["subuser", "update"], entry_id: id, payload }),
      selectKeys(db, principal, eq(user.id, id)),
    ])
    .catch(taken(206));
  if (updated.length === 0) throw new ApiError(201);
  return [...ended, ...kept].map(({ key }) => key);
}

/** With all that is its own; the answer is the keys of its credentials, which are no more, and of its master's. */
export async function deleteSubUser(db: Database, principal: Principal, id: number, actor: Actor) {
  const wanted = ofMaster(principal, eq(user.id, id));
  const login = sql`(SELECT json_object('login', ${user.login}) FROM ${user} WHERE ${wanted})`;
  const [, , , ended, , , , deleted, kept] = await db.batch([
    recording(db, actor, { is: ["subuser", "delete"], entry_id: id, payload: login }, sql`${login} IS NOT NULL`),
    ...endCredentials(db, ofUsers(principal, credential, wanted)),
    db.delete(uiSetting).where(ofUsers(principal, uiSetting, wanted)),
    db
      .delete(subUserTracker)
      .where(and(eq(subUserTracker.account_id, principal.account_id), eq(subUserTracker.sub_user_id, id))),
    db
      .insert(departedUser)
      .select(sql`SELECT ${user.id}, ${principal.account_id} FROM ${user} WHERE ${wanted}`)
      .onConflictDoNothing(),
    db.delete(user).where(wanted).returning({ id: user.id }),
    selectKeysOfMaster(db, principal),
  ]);
  if (deleted.length === 0) throw new ApiError(201);
  return [...ended, ...kept].map(({ key }) => key);
}

/** The keys of the sub-user's credentials, which see more now. */
export async function bindTrackers(
  db: Database,
  principal: Principal,
  id: number,
  tracker_ids: number[],
  actor: Actor,
) {
  const { account_id } = principal;
  const [, , found, keys] = await db.batch([
    db
      .insert(subUserTracker)
      .select(
        sql`SELECT ${account_id}, ${user.id}, value FROM ${user}, json_each(${JSON.stringify(tracker_ids)})
          WHERE ${ofMaster(principal, eq(user.id, id))}`,
      )
      .onConflictDoNothing(),
    recording(db, actor, { is: ["subuser_tracker", "bind"], entry_id: id, payload: bindingOf(tracker_ids) }),
    selectId(db, principal, id),
    selectKeys(db, principal, eq(user.id, id)),
  ]);
  if (found.length === 0) throw new ApiError(201);
  return keys.map(({ key }) => key);
}

/** The keys of the sub-user's credentials, which see less now. */
export async function unbindTrackers(
  db: Database,
  principal: Principal,
  id: number,
  tracker_ids: number[],
  actor: Actor,
) {
  const [, , found, keys] = await db.batch([
    db
      .delete(subUserTracker)
      .where(
        and(
          eq(subUserTracker.account_id, principal.account_id),
          eq(subUserTracker.sub_user_id, id),
          among(subUserTracker.tracker_id, tracker_ids),
        ),
      ),
    recording(db, actor, { is: ["subuser_tracker", "unbind"], entry_id: id, payload: bindingOf(tracker_ids) }),
    selectId(db, principal, id),
    selectKeys(db, principal, eq(user.id, id)),
  ]);
  if (found.length === 0) throw new ApiError(201);
  return keys.map(({ key }) => key);
}

export async function selectBound(db: Database, principal: Principal, id: number) {
  const [found, bound] = await db.batch([
    selectId(db, principal, id),
    db
      .select({ tracker_id: subUserTracker.tracker_id })
      .from(subUserTracker)
      .where(and(eq(subUserTracker.account_id, principal.account_id), eq(subUserTracker.sub_user_id, id)))
      .orderBy(asc(subUserTracker.tracker_id)),
  ]);
  if (found.length === 0) throw new ApiError(201);
  return bound.map(({ tracker_id }) => tracker_id);
}

/** A session of the sub-user, made without its password: only when it may log in itself. */
export async function insertDelegated(db: Database, env: GatewayEnv, principal: Principal, id: number, actor: Actor) {
  const wanted = sql`${ofMaster(principal, eq(user.id, id))}`;
  const owner = { account_id: principal.account_id, user_id: id };
  const mayLogIn = sql`EXISTS (SELECT 1 FROM ${user} WHERE ${wanted} AND ${user.activated})`;
  const { hash, insertion } = newSession(db, env, owner, "delegated", actor.action_date, mayLogIn);
  const [inserted, , [found]] = await db.batch([
    insertion,
    recording(db, actor, { is: ["subuser", "session_create"], entry_id: id }),
    selectUser(db, wanted),
  ]);
  if (!found) throw new ApiError(201);
  requireMayLogIn(found);
  if (inserted.length === 0) throw new ApiError(104);
  return hash;
}

function bindingOf(tracker_ids: number[]) {
  const { ids: trackers, ...rest } = someOf(tracker_ids);
  return { trackers, ...rest };
}

function selectId(db: Database, principal: Principal, id: number) {
  return db
    .select({ id: user.id })
    .from(user)
    .where(ofMaster(principal, eq(user.id, id)));
}

function namesOf(row: Partial<UserRow>) {
  return Object.keys(row).map((name) => sql.identifier(name));
}

function valuesOf(row: Partial<UserRow>) {
  // The keys of a row are columns of its table.
  return Object.entries(row).map(([name, value]) => sql`${sql.param(value, user[name as keyof UserRow])}`);
}

const master = alias(user, "master");
/** What a sub-user has from its master until it settles it for itself. */
const INHERITED = [
  "dealer_id",
  "time_zone",
  "locale",
  "measurement_system",
  "default_geocoder",
  "route_provider",
  "date_format",
  "hour_mode",
] as const;
