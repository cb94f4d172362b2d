import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { text } from "#shared/operation/fields.ts";
import { refreshGuards } from "../../credential/guard/refresh.ts";
import { operation } from "../../operation.ts";
import { deliverTimeZonesLater } from "../account-zone/deliver.ts";
import { putUiSetting, requireUiSetting, selectOwnRow, updateOwnRow } from "./queries.ts";
import {
  BalanceAlertSettings,
  FileStorageSettings,
  PersonalInfo,
  Settings,
  SettingsChanges,
  toColumns,
  toSettings,
} from "./schema.ts";
import { toFactorChange } from "./second-factor.ts";

const UiKey = z.string().regex(/^[A-Za-z0-9_-]{1,50}$/, { error: "must be 1 to 50 letters, digits, _ or -" });

export const readSettings = operation("/user/settings/read", {
  summary: "The caller's settings; the settings of files and of the balance only for the master",
  reads: true,
  input: z.object({}),
  output: z.object({
    settings: Settings,
    file_storage_settings: FileStorageSettings.optional(),
    balance_alert_settings: BalanceAlertSettings.optional(),
    first_user_balance_warning_period: z.string(),
    second_user_balance_warning_period: z.string(),
  }),
  errors: [],
  async run(_input, { db, principal }) {
    const row = await selectOwnRow(db, principal);
    const { auto_overwrite, balance_alert_emails: emails } = row;
    const ofMaster = { file_storage_settings: { auto_overwrite }, balance_alert_settings: { emails } };
    return { settings: toSettings(row), ...(principal.kind === "master" ? ofMaster : {}), ...BALANCE_WARNING_PERIODS };
  },
});

export const updateSettings = operation("/user/settings/update", {
  summary:
    "Changes the caller's settings, from its next call on; members left out stay. Changing the second step needs the password or a code",
  input: SettingsChanges,
  output: z.object({}),
  errors: [4, 13, 101, 102, 105, 201, 282],
  async run(changes, { db, env, principal, actor, clock }) {
    const { file_storage_settings, balance_alert_settings, second_factor } = changes;
    if (principal.kind === "subuser" && (file_storage_settings || balance_alert_settings)) throw new ApiError(13);
    // Only a user who logged in with its password may change how it logs in.
    if (second_factor && principal.credential !== "session") throw new ApiError(4);
    if (second_factor && principal.demo) throw new ApiError(101);
    const factor = second_factor && (await toFactorChange(db, env, principal, second_factor, changes, clock.now()));
    const columns = { ...toColumns(changes), ...factor?.changes };
    await refreshGuards(env, await updateOwnRow(db, principal, columns, actor, "settings_update", factor?.condition));
    if (changes.time_zone !== undefined) await deliverTimeZonesLater(env);
    return {};
  },
});

export const updateFileStorage = operation("/user/settings/file_storage/update", {
  summary: "Sets whether new files replace the oldest unused ones when the quota is used up",
  masterOnly: true,
  input: z.object({ file_storage_settings: FileStorageSettings }),
  output: z.object({}),
  errors: [13],
  async run(changes, { db, env, principal, actor }) {
    await refreshGuards(env, await updateOwnRow(db, principal, toColumns(changes), actor, "settings_update"));
    return {};
  },
});

export const readUiSetting = operation("/user/settings/ui/read", {
  summary: "The text that a client has stored for its user under the key",
  reads: true,
  input: z.object({ key: UiKey }),
  output: z.object({ value: z.string() }),
  errors: [201],
  async run({ key }, { db, principal }) {
    return { value: await requireUiSetting(db, principal, key) };
  },
});

export const updateUiSetting = operation("/user/settings/ui/update", {
  summary: "Stores a text for a client of the user under the key; at most 500 keys a user",
  input: z.object({ key: UiKey, value: text(8192) }),
  output: z.object({}),
  errors: [268],
  async run({ key, value }, { db, principal }) {
    await putUiSetting(db, principal, key, value);
    return {};
  },
});

export const updatePersonalInfo = operation("/user/personal_info/update", {
  summary: "Changes the caller's name and addresses; members left out stay",
  input: PersonalInfo,
  output: z.object({}),
  errors: [],
  async run(changes, { db, principal, actor }) {
    await updateOwnRow(db, principal, changes, actor, "personal_info_update");
    return {};
  },
});

export const operations = [
  readSettings,
  updateSettings,
  updateFileStorage,
  readUiSetting,
  updateUiSetting,
  updatePersonalInfo,
];

/** How long before the balance is used up the user is warned. */
const BALANCE_WARNING_PERIODS = { first_user_balance_warning_period: "7d", second_user_balance_warning_period: "2d" };
