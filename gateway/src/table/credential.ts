import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { CREDENTIALS } from "#shared/caller/principal.ts";

/** Every kind of credential: sessions, API keys, the hashes in mailed links. */
export const credential = sqliteTable(
  "credential",
  {
    /** The keyed hash of the credential; the credential itself is stored nowhere. */
    key: text().primaryKey(),
    /** By which its owner names it; at random, so that it tells nothing of others. */
    id: integer().notNull().unique(),
    account_id: integer().notNull(),
    /** The operator's id where the kind is `operator`. */
    user_id: integer().notNull(),
    kind: text({ enum: CREDENTIALS }).notNull(),
    /** UTC milliseconds, like every time. */
    created: integer().notNull(),
    expires_at: integer().notNull(),
    /** From where it was made, and by what. */
    host: text().notNull().default(""),
    user_agent: text().notNull().default(""),
    /** Delegated sessions only: the key of the credential that made it, with which it ends. */
    maker_key: text(),
    /** API keys only. */
    title: text(),
    /** API keys and delivery sessions only: the value, encrypted, to be shown again. */
    sealed: text(),
  },
  (table) => [
    index("credential_account").on(table.account_id, table.user_id, table.kind, table.expires_at),
    index("credential_expires").on(table.expires_at),
    index("credential_maker").on(table.maker_key),
  ],
);
