import * as z from "zod";
import { printableText, text } from "#shared/operation/fields.ts";
import { isZone } from "#shared/time/clock.ts";
import {
  DATE_FORMATS,
  GEOCODERS,
  HOUR_MODES,
  LEGAL_TYPES,
  MEASUREMENT_SYSTEMS,
  ROUTE_PROVIDERS,
  type UserRow,
} from "../../table/user.ts";
import { addressFields } from "./address-fields.ts";

export const Settings = z.object({
  time_zone: z.string().max(255).refine(isZone, { error: "is not a time zone" }),
  locale: z.string().regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, { error: "must be language or language_COUNTRY" }),
  measurement_system: z.enum(MEASUREMENT_SYSTEMS),
  date_format: z.enum(DATE_FORMATS).nullable(),
  hour_mode: z.enum(HOUR_MODES).nullable(),
  geocoder: z.enum(GEOCODERS),
  route_provider: z.enum(ROUTE_PROVIDERS),
  translit: z.boolean(),
  /** The second step of a log-in, after the password. */
  second_factor: z.enum(["none", "email", "totp"]),
});

export const FileStorageSettings = z.object({ auto_overwrite: z.boolean() });
export const BalanceAlertSettings = z.object({ emails: z.array(z.email().max(255)).max(20) });

export const SettingsChanges = Settings.partial().extend({
  file_storage_settings: FileStorageSettings.optional(),
  balance_alert_settings: BalanceAlertSettings.optional(),
  /** A code of the authenticator: required to turn it on, and one way to prove identity when it is turned off. */
  code: z.string().max(32).optional(),
  /** The password, the other way to prove identity when a second step is turned off. */
  password: printableText(1, 40).optional(),
});

/** Members left out stay. */
export const PersonalInfo = z.object({
  first_name: text(100).optional(),
  middle_name: text(100).optional(),
  last_name: text(100).optional(),
  legal_type: z.enum(LEGAL_TYPES).optional(),
  legal_name: text(255).nullable().optional(),
  phone: z
    .string()
    .regex(/^\d{0,15}$/, { error: "must be at most 15 digits" })
    .optional(),
  tin: text(32).optional(),
  iec: text(32).nullable().optional(),
  okpo_code: text(10).nullable().optional(),
  state_reg_num: text(15).nullable().optional(),
  ...addressFields(text(255).optional()),
});

/** The columns of the changed settings. */
export function toColumns(changes: z.output<typeof SettingsChanges>): Partial<UserRow> {
  const { geocoder, file_storage_settings, balance_alert_settings, second_factor, code, password, ...same } = changes;
  return {
    ...same,
    default_geocoder: geocoder,
    auto_overwrite: file_storage_settings?.auto_overwrite,
    balance_alert_emails: balance_alert_settings?.emails,
  };
}

export function toSettings(row: UserRow): z.output<typeof Settings> {
  const { time_zone, locale, measurement_system, date_format, hour_mode, route_provider, translit } = row;
  const { second_factor } = row;
  const geocoder = row.default_geocoder;
  return {
    time_zone,
    locale,
    measurement_system,
    date_format,
    hour_mode,
    geocoder,
    route_provider,
    translit,
    second_factor,
  };
}
