import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A device, behind a tracker and its clones. */
export const source = sqliteTable(
  "source",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The account that owns the device; clones in other accounts share it. */
    account_id: integer().notNull(),
    dealer_id: integer().notNull(),
    // Devices identify themselves by it, so it is unique over all accounts.
    device_id: text().notNull().unique(),
    model: text().notNull(),
    blocked: integer({ mode: "boolean" }).notNull().default(false),
    tariff_id: integer().notNull(),
    /** When the owner last changed the tariff. */
    tariff_changed: integer(),
    status_listing_id: integer(),
    creation_date: integer().notNull(),
    tariff_end_date: text(),
    /** Digits; null without a SIM. Unique indexes treat NULLs as different. */
    phone: text().unique(),
    /**
     * Grows with every change that geo must know of: geo ignores a message whose revision is lower than the stored one.
     */
    revision: integer().notNull().default(1),
  },
  (table) => [
    // Serves selectOfferedTariffs.
    index("source_account").on(table.account_id, table.tariff_id),
  ],
);
export type SourceRow = typeof source.$inferSelect;
