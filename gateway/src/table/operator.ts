import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Who runs the installation for a dealer: logs in under `/panel` only. */
export const operator = sqliteTable("operator", {
  id: integer().primaryKey({ autoIncrement: true }),
  dealer_id: integer().notNull(),
  login: text().notNull().unique(),
  /** As `hashPassword` makes it. */
  password: text().notNull(),
  /** Category to operations, as in `{"users": ["create", "read"]}`. */
  permissions: text({ mode: "json" }).$type<Record<string, string[]>>().notNull(),
});

/** Whoever may block every dealer stays in, to unblock them. */
export const CAN_UNBLOCK_DEALERS = sql`EXISTS (SELECT 1 FROM json_each(${operator.permissions}, '$.subpaas') WHERE value = 'global')`;
