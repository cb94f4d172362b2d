import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Calls with an idempotency key that had an effect. The row is written in the transaction of the effect, so that a repeated
 * call fails there. Every database has this table; sweeps delete rows after a day.
 */
export const idempotencyKey = sqliteTable("idempotency_key", {
  /** A digest of credential, path and key. */
  id: text().primaryKey(),
  /** A digest of the parameters. */
  fingerprint: text().notNull(),
  /** The row id of the first thing that the transaction inserted; null without one. */
  row_id: integer(),
  /** The answer, encrypted with a key that only the caller knows; null if it follows from `row_id`, or is not stored yet. */
  answer: text(),
  /** UTC milliseconds. */
  created: integer().notNull(),
});
