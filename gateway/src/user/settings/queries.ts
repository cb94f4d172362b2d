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
  // The user was deleted during the call.
  if (!row) throw new ApiError(4);
  return row;
}

/**
 * Changes columns of the caller; without any it does nothing. Answers the keys of the caller's credentials, whose guards
 * must be refreshed; of all the account's credentials if the change concerns the account.
 */
export async function updateOwnRow(
  db: Database,
  { account_id, user_id, kind }: Principal,
  changes: Partial<UserRow>,
  actor: Actor,
  action: "settings_update" | "personal_info_update",
  condition?: SQL,
) {
  // The audit log names `second_factor`, not its internal columns.
  const { totp_sealed, totp_step, ...named } = changes;
  const changesAccount = kind === "master" && (changes.time_zone ?? changes.auto_overwrite) !== undefined;
  const { keys } = await write(db, {
    // A concurrent call may have used the code.
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
    zoneChange: changesAccount ? insertZoneChange(db, user_id) : undefined,
    keys: db
      .select({ key: credential.key })
      .from(credential)
      .where(and(eq(credential.account_id, account_id), changesAccount ? undefined : eq(credential.user_id, user_id))),
  });
  return keys.map(({ key }) => key);
}

/** For a demand: the checked password is still the user's. */
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

/** Stores a text; 268 above the limit. Counts and inserts in one statement, so concurrent calls cannot exceed it. */
export async function putUiSetting(db: Database, principal: Principal, key: string, value: string) {
  const { account_id, user_id } = principal;
  const otherKeys = and(belongsToUser(principal), sql`${uiSetting.key} <> ${key}`);
  const stored = await db.all(sql`
    INSERT INTO ${uiSetting} (account_id, user_id, key, value)
    SELECT ${account_id}, ${user_id}, ${key}, ${value}
    WHERE (SELECT count(*) FROM ${uiSetting} WHERE ${otherKeys}) < ${MAX_KEYS_PER_USER}
    ON CONFLICT (user_id, key) DO UPDATE SET value = excluded.value
    RETURNING key`);
  if (stored.length === 0) throw new ApiError(268);
}

function belongsToUser({ account_id, user_id }: Principal) {
  return and(eq(uiSetting.account_id, account_id), eq(uiSetting.user_id, user_id));
}

const MAX_KEYS_PER_USER = 500;
