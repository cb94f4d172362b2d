import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ProtocolId } from "#shared/contract/tracker/retranslation.ts";

/** A server of a third party that points are forwarded to. */
export const retranslator = sqliteTable(
  "retranslator",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    name: text().notNull(),
    protocol_id: integer().$type<ProtocolId>().notNull(),
    address: text().notNull(),
    port: integer().notNull(),
    /** Empty without a login: a unique index treats NULLs as different. */
    login: text().notNull(),
    /** Encrypted with `ENCRYPTION_KEY`. */
    password: text(),
    enabled: integer({ mode: "boolean" }).notNull(),
    /** Grows with every change: feeds that wait after a failure retry at once with a new revision. */
    revision: integer().notNull().default(1),
  },
  (table) => [
    uniqueIndex("retranslator_account_receiver").on(table.account_id, table.address, table.port, table.login),
  ],
);
export type RetranslatorRow = typeof retranslator.$inferSelect;
