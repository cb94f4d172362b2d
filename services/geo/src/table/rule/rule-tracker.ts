import { index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";

/** The trackers that rules are bound to. */
export const ruleTracker = sqliteTable(
  "rule_tracker",
  {
    account_id: integer().notNull(),
    rule_id: integer().notNull(),
    tracker_id: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.rule_id, table.tracker_id] }),
    // Serves unbindTrackers.
    index("rule_tracker_account").on(table.account_id, table.tracker_id),
  ],
);
