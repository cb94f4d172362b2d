import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The revision of an account's rules, for accounts that have or had rules. */
export const ruleRevision = sqliteTable("rule_revision", {
  account_id: integer().primaryKey(),
  /** Raised with every change of a rule and, by a trigger, of a zone. */
  revision: integer().notNull().default(0),
  /** The account's time zone, in which schedules are read. */
  time_zone: text().notNull(),
  /** Revision of the last message about the time zone; messages with a lower one are ignored. */
  zone_revision: integer().notNull().default(0),
});
