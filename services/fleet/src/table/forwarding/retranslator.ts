import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ProtocolId } from "#shared/contract/retranslation.ts";

/** A third party's server that points are forwarded to. */
export const retranslator = sqliteTable(
  "retranslator",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    name: text().notNull(),
    protocol_id: integer().$type<ProtocolId>().notNull(),
    address: text().notNull(),
    port: integer().notNull(),
    /** Empty where there is none: SQLite would keep NULLs apart. */
    login: text().notNull(),
    /** Sealed. */
    password: text(),
    enabled: integer({ mode: "boolean" }).notNull(),
    /** Grows with every change: those who send are told, and try again at once. */
    revision: integer().notNull().default(1),
  },
  (table) => [
    uniqueIndex("retranslator_account_receiver").on(table.account_id, table.address, table.port, table.login),
  ],
);
export type RetranslatorRow = typeof retranslator.$inferSelect;
