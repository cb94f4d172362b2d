import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { CREDENTIALS } from "#shared/caller/principal.ts";

/** Credentials of every kind: sessions, API keys, hashes in mailed links. */
export const credential = sqliteTable(
  "credential",
  {
    /** The keyed hash of the credential; the credential itself is stored nowhere. */
    key: text().primaryKey(),
    /** The id that its owner sees. Random, so that it reveals nothing about other credentials. */
    id: integer().notNull().unique(),
    account_id: integer().notNull(),
    /** The user's id; the operator's id if the kind is `operator`. */
    user_id: integer().notNull(),
    kind: text({ enum: CREDENTIALS }).notNull(),
    /** UTC milliseconds, like every time. */
    created: integer().notNull(),
    expires_at: integer().notNull(),
    /** The IP address and the program of the call that created it. */
    host: text().notNull().default(""),
    user_agent: text().notNull().default(""),
    /** Delegated sessions only: the key of the credential that created it. It ends with that credential. */
    maker_key: text(),
    /** API keys only. */
    title: text(),
    /** API keys only: whether agents that have the key may change something. */
    agent_writes: integer({ mode: "boolean" }).notNull().default(false),
    /** API keys and delivery sessions only: the hash, encrypted, so that it can be shown again. */
    sealed: text(),
  },
  (table) => [
    // Serves selectSessions.
    index("credential_account").on(table.account_id, table.user_id, table.kind, table.expires_at),
    index("credential_expires").on(table.expires_at),
    index("credential_maker").on(table.maker_key),
  ],
);
