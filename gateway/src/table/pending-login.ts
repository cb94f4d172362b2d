import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A log-in whose password was right and whose code is still to come. */
export const pendingLogin = sqliteTable("pending_login", {
  /** The keyed hash of the pending credential. */
  key: text().primaryKey(),
  user_id: integer().notNull(),
  factor: text({ enum: ["email", "totp"] }).notNull(),
  /** The keyed hash of a mailed code; others are in no need of being kept. */
  code: text(),
  sent_at: integer(),
  failures: integer().notNull().default(0),
});
