import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Right } from "#shared/caller/principal.ts";

/** What sub-users may do. A sub-user without a group may do nothing but read. */
export const securityGroup = sqliteTable(
  "security_group",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    label: text().notNull(),
    rights: text({ mode: "json" }).$type<Right[]>().notNull(),
    /** How far back its members look, as in `30d`; null: as far as the tariff. */
    store_period: text(),
  },
  (table) => [index("security_group_account").on(table.account_id, table.id)],
);
export type SecurityGroupRow = typeof securityGroup.$inferSelect;
