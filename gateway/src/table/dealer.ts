import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Position } from "#shared/geometry/position.ts";

export const BLOCK_TYPES = ["NOT_BLOCKED", "INITIAL_BLOCK", "BLOCK_LOGIN", "CLIENTS_BLOCKED"] as const;

/** How a dealer presents the service; `paas_settings` in answers of `/user/get_info`. */
export type DealerSettings = {
  domain: string | null;
  service_title: string;
  locale: string;
  demo_login: string;
  demo_password: string;
  maps: string[];
  default_map: {
    type: string;
    location: Position;
    zoom: number;
  };
  currency: string;
  payment_link: string | null;
  promo_url: string | null;
  google_client_id: string | null;
  favicon: string | null;
  logo: string | null;
  app_logo: string | null;
  login_wallpaper: string | null;
  desktop_wallpaper: string | null;
  monitoring_logo: string | null;
  login_footer: string;
  allow_registration: boolean;
  show_mobile_apps: boolean;
  show_call_notifications: boolean;
  default_user_settings: {
    geocoder: string;
    route_provider: string;
    measurement_system: string;
    translit: boolean;
  };
  display_model_features_link: boolean;
  color_theme: string;
  app_color_theme: string;
  privacy_policy_link: string | null;
  tos: string | null;
  tracker_model_filter: { exclusion: boolean; values: string[] };
  internal: {
    light_registration: boolean;
    demo_tracker_source_id: number | null;
    demo_tracker_label: string;
  };
  no_register_commands: boolean;
};

export const dealer = sqliteTable("dealer", {
  id: integer().primaryKey({ autoIncrement: true }),
  /** The dealer whose sub-dealer it is; null for the root dealer, which runs the installation. */
  parent_id: integer(),
  title: text().notNull(),
  /** Sub-dealers only, like the two columns below. */
  email: text(),
  jur_name: text(),
  jur_country: text(),
  ui_domain: text().unique(),
  block_type: text({ enum: BLOCK_TYPES }).notNull().default("NOT_BLOCKED"),
  /** Only members that differ from the defaults. */
  settings: text({ mode: "json" }).$type<Partial<DealerSettings>>().notNull(),
  features: text({ mode: "json" }).$type<string[]>().notNull(),
  limited_domain: integer({ mode: "boolean" }).notNull().default(false),
  allowed_maps: text({ mode: "json" }).$type<string[]>(),
  default_user_time_zone: text(),
  /** Tariff and bonus of trackers of new users, as set by `/panel/tariff/defaults/update`. */
  tracker_defaults: text({ mode: "json" }).$type<{
    tariff_id: number | null;
    activation_bonus: number;
    free_days: number;
    free_days_device_limit: number;
  }>(),
});
export type DealerRow = typeof dealer.$inferSelect;
