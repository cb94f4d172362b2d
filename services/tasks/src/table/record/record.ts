import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const RECORD_KINDS = ["checkin", "form"] as const;

/**
 * A record of a check-in's or form's content. The records of an account form a chain: each holds the hash of the one
 * before it.
 */
export const record = sqliteTable(
  "record",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    /** Number within the account's chain, from 1. */
    place: integer().notNull(),
    kind: text({ enum: RECORD_KINDS }).notNull(),
    thing_id: integer().notNull(),
    /** Anybody who has it may verify the record: nothing else protects it. */
    token: text().notNull(),
    /**
     * SHA-256 as hexadecimal digits: of the item's content; `previous` of the record before it; `hash` of this record.
     */
    content: text().notNull(),
    previous: text(),
    hash: text().notNull(),
    /** The record's text, signed, as a JWS. */
    signature: text().notNull(),
    /** UTC milliseconds. */
    made: integer().notNull(),
  },
  (table) => [
    // No two records can follow the same one.
    uniqueIndex("record_account_place").on(table.account_id, table.place),
    uniqueIndex("record_token").on(table.token),
    // Serves selectRecord.
    index("record_thing").on(table.kind, table.thing_id),
  ],
);
export type RecordRow = typeof record.$inferSelect;
