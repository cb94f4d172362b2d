import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Log-ins with a right password that wait for the code of the second factor. */
export const pendingLogin = sqliteTable("pending_login", {
  /** The keyed hash of the pending credential. */
  key: text().primaryKey(),
  user_id: integer().notNull(),
  factor: text({ enum: ["email", "totp"] }).notNull(),
  /** The keyed hash of a mailed code; null for `totp`, whose codes are computed. */
  code: text(),
  sent_at: integer(),
  failures: integer().notNull().default(0),
});
