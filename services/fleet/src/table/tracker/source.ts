import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The physical device behind a tracker and its clones. */
export const source = sqliteTable(
  "source",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Whose device it is; clones in other accounts share it. */
    account_id: integer().notNull(),
    dealer_id: integer().notNull(),
    // Devices name themselves by it, whoever's they are: unique over all accounts.
    device_id: text().notNull().unique(),
    model: text().notNull(),
    blocked: integer({ mode: "boolean" }).notNull().default(false),
    tariff_id: integer().notNull(),
    /** When its owner last gave it another tariff. */
    tariff_changed: integer(),
    status_listing_id: integer(),
    creation_date: integer().notNull(),
    tariff_end_date: text(),
    /** Digits; null without a SIM. SQLite keeps NULLs apart. */
    phone: text().unique(),
    /** Grows with every change that the point store must know of: an older one never overwrites a newer. */
    revision: integer().notNull().default(1),
  },
  (table) => [index("source_account").on(table.account_id, table.tariff_id)],
);
export type SourceRow = typeof source.$inferSelect;
