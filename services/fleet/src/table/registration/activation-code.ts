import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Sold with a device: whoever registers one with it gets the tariff and the free days. */
export const activationCode = sqliteTable(
  "activation_code",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    dealer_id: integer().notNull(),
    code: text().notNull().unique(),
    tariff_id: integer().notNull(),
    /** Shown only: as long as nothing is paid, there is no account to credit it to. */
    bonus_amount: real().notNull(),
    free_days: integer().notNull(),
    created: integer().notNull(),
    /** By whom and for which device; null as long as it is good. */
    used: integer(),
    account_id: integer(),
    source_id: integer(),
  },
  (table) => [index("activation_code_dealer").on(table.dealer_id, table.id)],
);
