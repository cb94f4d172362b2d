import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DealerSettings } from "./settings.ts";

export const dealer = sqliteTable("dealer", {
  id: integer().primaryKey({ autoIncrement: true }),
  title: text().notNull(),
  ui_domain: text().unique(),
  block_type: text({ enum: ["NOT_BLOCKED", "INITIAL_BLOCK", "BLOCK_LOGIN", "CLIENTS_BLOCKED"] })
    .notNull()
    .default("NOT_BLOCKED"),
  /** What differs from the defaults. */
  settings: text({ mode: "json" }).$type<Partial<DealerSettings>>().notNull(),
  features: text({ mode: "json" }).$type<string[]>().notNull(),
});
export type DealerRow = typeof dealer.$inferSelect;
