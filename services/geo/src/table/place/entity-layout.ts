import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export type Section = { label: string; field_order: string[] };

/** How an account wants its places laid out; without a row, as `layoutOf` does. */
export const entityLayout = sqliteTable("entity_layout", {
  account_id: integer().primaryKey(),
  sections: text({ mode: "json" }).$type<Section[]>().notNull(),
});
