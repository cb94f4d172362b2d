import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Devices that a dealer sells, known by their ids before anybody registers them. */
export const bundle = sqliteTable("bundle", {
  id: integer().primaryKey({ autoIncrement: true }),
  dealer_id: integer().notNull(),
  // A device is sold by one dealer.
  imei: text().notNull().unique(),
  equip_id: integer().notNull(),
  model: text().notNull(),
  factory_preset: text(),
  created: integer().notNull(),
});
