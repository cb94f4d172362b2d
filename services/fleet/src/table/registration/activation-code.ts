import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A code sold with a device: registering the device with it gives the code's tariff and free days. */
export const activationCode = sqliteTable(
  "activation_code",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    dealer_id: integer().notNull(),
    code: text().notNull().unique(),
    tariff_id: integer().notNull(),
    /** Only shown: there are no payments yet that it could be credited to. */
    bonus_amount: real().notNull(),
    free_days: integer().notNull(),
    created: integer().notNull(),
    /** When, by which account and for which device the code was used; null while it is unused. */
    used: integer(),
    account_id: integer(),
    source_id: integer(),
  },
  (table) => [
    // Serves selectCodes.
    index("activation_code_dealer").on(table.dealer_id, table.id),
  ],
);
