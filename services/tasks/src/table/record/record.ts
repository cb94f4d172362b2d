import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const RECORD_KINDS = ["checkin", "form"] as const;

/** That something was stored as it is: each holds the hash of the account's record before it. */
export const record = sqliteTable(
  "record",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    /** In the account's chain, from 1. */
    place: integer().notNull(),
    kind: text({ enum: RECORD_KINDS }).notNull(),
    thing_id: integer().notNull(),
    /** By which anybody may look at it: nothing else protects that. */
    token: text().notNull(),
    /** SHA-256 in hexadecimal digits: of what the thing was, of the record before, of this one. */
    content: text().notNull(),
    previous: text(),
    hash: text().notNull(),
    /** The record itself, signed: a JWS. */
    signature: text().notNull(),
    /** UTC milliseconds. */
    made: integer().notNull(),
  },
  (table) => [
    // No two follow the same record.
    uniqueIndex("record_account_place").on(table.account_id, table.place),
    uniqueIndex("record_token").on(table.token),
    index("record_thing").on(table.kind, table.thing_id),
  ],
);
export type RecordRow = typeof record.$inferSelect;
