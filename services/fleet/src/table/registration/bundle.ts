import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Devices that a dealer sells, known by their IMEI before they are registered. */
export const bundle = sqliteTable("bundle", {
  id: integer().primaryKey({ autoIncrement: true }),
  dealer_id: integer().notNull(),
  // Unique over all dealers: one dealer sells a device.
  imei: text().notNull().unique(),
  equip_id: integer().notNull(),
  model: text().notNull(),
  factory_preset: text(),
  created: integer().notNull(),
});
