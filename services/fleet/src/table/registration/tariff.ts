import { integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { NewTariff } from "#shared/contract/tracker/tariff.ts";

/** Tariffs that a dealer offers: how long points are stored and which features are allowed. Each device has one. */
export const tariff = sqliteTable(
  "tariff",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    dealer_id: integer().notNull(),
    name: text().notNull(),
    group_id: integer().notNull(),
    active: integer({ mode: "boolean" }).notNull(),
    type: text().$type<NewTariff["type"]>().notNull(),
    price: real().notNull(),
    early_change_price: real().notNull(),
    device_limit: integer().notNull(),
    has_reports: integer({ mode: "boolean" }).notNull(),
    store_period: text().notNull(),
    device_type: text().$type<NewTariff["device_type"]>().notNull(),
    proportional_charge: integer({ mode: "boolean" }).notNull(),
    service_prices: text({ mode: "json" }).$type<NewTariff["service_prices"]>().notNull(),
    features: text({ mode: "json" }).$type<NewTariff["features"]>().notNull(),
    map_filter: text({ mode: "json" }).$type<NewTariff["map_filter"]>().notNull(),
  },
  (table) => [uniqueIndex("tariff_dealer_name").on(table.dealer_id, table.name)],
);
