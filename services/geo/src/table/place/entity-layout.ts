import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export type Section = { label: string; field_order: string[] };

/** The layout of an account's places; without a row `layoutOf` makes a default. */
export const entityLayout = sqliteTable("entity_layout", {
  account_id: integer().primaryKey(),
  sections: text({ mode: "json" }).$type<Section[]>().notNull(),
});
