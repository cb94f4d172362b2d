import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Limits } from "#shared/caller/principal.ts";

export const LEGAL_TYPES = ["legal_entity", "individual", "sole_trader"] as const;
export const MEASUREMENT_SYSTEMS = ["metric", "imperial", "us", "metric_gal_us", "nautical"] as const;
export const GEOCODERS = ["google", "yandex", "progorod", "osm", "locationiq"] as const;
export const ROUTE_PROVIDERS = ["google", "progorod", "osrm"] as const;
export const DATE_FORMATS = [
  "ddMMyyyy_dots",
  "ddMMyyyy_slashes",
  "MMddyyyy_hyphens",
  "yyyyMMdd_hyphens",
  "dMMMy",
  "dMMMMy",
] as const;
export const HOUR_MODES = ["TWENTY_FOUR_HOURS", "TWELVE_HOURS"] as const;

/** Masters and their sub-users. */
export const user = sqliteTable(
  "user",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The master's id; null for a master, whose own id is the account's id. */
    master_id: integer(),
    dealer_id: integer().notNull(),
    login: text().notNull(),
    /** The login in lower case, so that logins are unique regardless of case. */
    login_key: text().notNull().unique(),
    /** The stored form that `hashPassword` returns. */
    password: text().notNull(),
    activated: integer({ mode: "boolean" }).notNull(),
    verified: integer({ mode: "boolean" }).notNull(),
    blocked: integer({ mode: "boolean" }).notNull().default(false),
    demo: integer({ mode: "boolean" }).notNull().default(false),
    premium_gis: integer({ mode: "boolean" }).notNull().default(false),
    creation_date: integer().notNull(),
    /** Sub-users only; null: no rights beyond reading. */
    security_group_id: integer(),
    /** When the last activation mail, and the last mail to restore the password, were requested. */
    activation_resent_at: integer(),
    restore_sent_at: integer(),
    second_factor: text({ enum: ["none", "email", "totp"] })
      .notNull()
      .default("none"),
    /** The secret of time-based codes (TOTP), encrypted. */
    totp_sealed: text(),
    /** The number of the last half minute since 1970 whose code was used: no code is accepted twice. */
    totp_step: integer(),
    /** Stored forms of earlier passwords, newest first. */
    last_passwords: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    translit: integer({ mode: "boolean" }).notNull().default(false),
    /** True: when the file quota is full, new files replace the oldest ones. */
    auto_overwrite: integer({ mode: "boolean" }).notNull().default(false),
    balance_alert_emails: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    balance: real().notNull().default(0),
    bonus: real().notNull().default(0),
    default_tariff_id: integer(),
    /** Limits that an operator set; the installation's defaults apply to the rest. */
    limits: text({ mode: "json" }).$type<Partial<Limits>>().notNull(),
    discount: text({ mode: "json" }).$type<Record<string, unknown>>(),
    comment: text().notNull().default(""),
    time_zone: text().notNull(),
    locale: text().notNull(),
    measurement_system: text({ enum: MEASUREMENT_SYSTEMS }).notNull().default("metric"),
    default_geocoder: text({ enum: GEOCODERS }).notNull().default("osm"),
    route_provider: text({ enum: ROUTE_PROVIDERS }).notNull().default("osrm"),
    date_format: text({ enum: DATE_FORMATS }),
    hour_mode: text({ enum: HOUR_MODES }),
    legal_type: text({ enum: LEGAL_TYPES }).notNull(),
    first_name: text().notNull(),
    middle_name: text().notNull(),
    last_name: text().notNull(),
    legal_name: text(),
    phone: text().notNull(),
    tin: text().notNull(),
    iec: text(),
    okpo_code: text(),
    state_reg_num: text(),
    post_country: text().notNull(),
    post_region: text().notNull(),
    post_index: text().notNull(),
    post_city: text().notNull(),
    post_street_address: text().notNull(),
    registered_country: text().notNull(),
    registered_region: text().notNull(),
    registered_index: text().notNull(),
    registered_city: text().notNull(),
    registered_street_address: text().notNull(),
  },
  (table) => [
    // Serves assignGroup.
    index("user_master").on(table.master_id, table.id),
    // Serves changeBlocking.
    index("user_dealer").on(table.dealer_id, table.id),
  ],
);
export type UserRow = typeof user.$inferSelect;
