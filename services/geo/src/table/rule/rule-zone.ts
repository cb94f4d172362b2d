import { index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";

/** The zones that rules name. */
export const ruleZone = sqliteTable(
  "rule_zone",
  {
    account_id: integer().notNull(),
    rule_id: integer().notNull(),
    zone_id: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.rule_id, table.zone_id] }),
    // Serves selectNamingRules.
    index("rule_zone_account").on(table.account_id, table.zone_id),
  ],
);
