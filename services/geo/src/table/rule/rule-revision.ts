import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** An account that has, or had, rules. */
export const ruleRevision = sqliteTable("rule_book", {
  account_id: integer().primaryKey(),
  /** Raised with every change of a rule and, by a trigger, of a zone. */
  revision: integer().notNull().default(0),
  /** In which schedules are read. */
  time_zone: text().notNull(),
  /** Of the gateway's last word on the zone. */
  zone_revision: integer().notNull().default(0),
});
