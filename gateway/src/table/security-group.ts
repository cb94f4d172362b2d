import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Right } from "#shared/caller/principal.ts";

/** Groups of rights for sub-users. A sub-user without a group may only read. */
export const securityGroup = sqliteTable(
  "security_group",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    label: text().notNull(),
    rights: text({ mode: "json" }).$type<Right[]>().notNull(),
    /** How far back its members see history, as in `30d`; null: as far as the tariff allows. */
    store_period: text(),
  },
  (table) => [
    // Serves selectGroups.
    index("security_group_account").on(table.account_id, table.id),
  ],
);
export type SecurityGroupRow = typeof securityGroup.$inferSelect;
