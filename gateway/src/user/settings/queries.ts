import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Actor, membersOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../audit/record-queries.ts";
import { credential } from "../../table/credential.ts";
import { uiSetting } from "../../table/ui-setting.ts";
import { type UserRow, user } from "../../table/user.ts";
import { insertZoneChange } from "../account-zone/queries.ts";

export async function selectOwnRow(db: Database, { user_id }: Principal): Promise<UserRow> {
  const row = await db.select().from(user).where(eq(user.id, user_id)).get();
  // Deleted while the call was under way.
  if (!row) throw new ApiError(4);
  return row;
}

/**
 * Nothing to change is no reason to fail. The answer is the keys of all that the user calls with; what changes for the
 * account, all its users must hear of.
 */
export async function updateOwnRow(
  db: Database,
  { account_id, user_id, kind }: Principal,
  changes: Partial<UserRow>,
  actor: Actor,
  action: "settings_update" | "personal_info_update",
  condition?: SQL,
) {
  // What is kept of a second step is named by it.
  const { totp_sealed, totp_step, ...named } = changes;
  const changesAccount = kind === "master" && (changes.time_zone ?? changes.auto_overwrite) !== undefined;
  const { keys } = await write(db, {
    // Another call may have used the code in between.
    unused: demand(condition, () => new ApiError(282)),
    update: db
      .update(user)
      .set({ id: user_id, ...changes })
      .where(eq(user.id, user_id)),
    record: recordChange(db, actor, {
      is: ["user", action],
      entry_id: user_id,
      payload: { changed: membersOf(named) },
    }),
    noted: changesAccount ? insertZoneChange(db, user_id) : undefined,
    keys: db
      .select({ key: credential.key })
      .from(credential)
      .where(and(eq(credential.account_id, account_id), changesAccount ? undefined : eq(credential.user_id, user_id))),
  });
  return keys.map(({ key }) => key);
}

/** For a demand: that the password which was checked is still the user's. */
export function hasPassword({ id, password }: Pick<UserRow, "id" | "password">) {
  return sql`EXISTS (SELECT 1 FROM ${user} WHERE ${and(eq(user.id, id), eq(user.password, password))})`;
}

export async function requireUiSetting(db: Database, principal: Principal, key: string) {
  const row = await db
    .select({ value: uiSetting.value })
    .from(uiSetting)
    .where(and(belongsToUser(principal), eq(uiSetting.key, key)))
    .get();
  if (!row) throw new ApiError(201);
  return row.value;
}

/** Counts and inserts in one statement, so that no two calls at once pass the limit together. */
export async function putUiSetting(db: Database, principal: Principal, key: string, value: string) {
  const { account_id, user_id } = principal;
  const others = and(belongsToUser(principal), sql`${uiSetting.key} <> ${key}`);
  const put = await db.all(sql`
    INSERT INTO ${uiSetting} (account_id, user_id, key, value)
    SELECT ${account_id}, ${user_id}, ${key}, ${value}
    WHERE (SELECT count(*) FROM ${uiSetting} WHERE ${others}) < ${MAX_KEYS_PER_USER}
    ON CONFLICT (user_id, key) DO UPDATE SET value = excluded.value
    RETURNING key`);
  if (put.length === 0) throw new ApiError(268);
}

function belongsToUser({ account_id, user_id }: Principal) {
  return and(eq(uiSetting.account_id, account_id), eq(uiSetting.user_id, user_id));
}

const MAX_KEYS_PER_USER = 500;
