import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Operators manage the users of a dealer; they log in under `/panel` only. */
export const operator = sqliteTable("operator", {
  id: integer().primaryKey({ autoIncrement: true }),
  dealer_id: integer().notNull(),
  login: text().notNull().unique(),
  /** The stored form that `hashPassword` returns. */
  password: text().notNull(),
  /** Category to operations, as in `{"users": ["create", "read"]}`. */
  permissions: text({ mode: "json" }).$type<Record<string, string[]>>().notNull(),
});

/** Condition: the operator may unblock every dealer, and is therefore never blocked with its own. */
export const CAN_UNBLOCK_DEALERS = sql`EXISTS (SELECT 1 FROM json_each(${operator.permissions}, '$.subpaas') WHERE value = 'global')`;
