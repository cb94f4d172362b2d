import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DealerSettings } from "./settings.ts";

export const BLOCK_TYPES = ["NOT_BLOCKED", "INITIAL_BLOCK", "BLOCK_LOGIN", "CLIENTS_BLOCKED"] as const;

export const dealer = sqliteTable("dealer", {
  id: integer().primaryKey({ autoIncrement: true }),
  /** Whose sub-dealer it is; null for whoever runs the installation. */
  parent_id: integer(),
  title: text().notNull(),
  /** Of sub-dealers. */
  email: text(),
  jur_name: text(),
  jur_country: text(),
  ui_domain: text().unique(),
  block_type: text({ enum: BLOCK_TYPES }).notNull().default("NOT_BLOCKED"),
  /** What differs from the defaults. */
  settings: text({ mode: "json" }).$type<Partial<DealerSettings>>().notNull(),
  features: text({ mode: "json" }).$type<string[]>().notNull(),
  limited_domain: integer({ mode: "boolean" }).notNull().default(false),
  allowed_maps: text({ mode: "json" }).$type<string[]>(),
  default_user_time_zone: text(),
  /** What a new tracker gets: `panel/tariff/defaults`. */
  tracker_defaults: text({ mode: "json" }).$type<{
    tariff_id: number | null;
    activation_bonus: number;
    free_days: number;
    free_days_device_limit: number;
  }>(),
});
export type DealerRow = typeof dealer.$inferSelect;
