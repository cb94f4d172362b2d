import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Outgoing mail: written in the batch of the change that causes it, sent later, kept for the operator to read. */
export const mail = sqliteTable(
  "mail",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    dealer_id: integer().notNull(),
    /** Whose mail it is, where it is about an account's things and not about a log-in. */
    account_id: integer(),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    /** What in it opens an account, a hash or a code; null where there is none, or none any more. */
    secret: text(),
    created: integer().notNull(),
    /** When to try next; null: sent, refused for good, or kept because there is nobody to send it. */
    due: integer(),
    tries: integer().notNull().default(0),
    /** Of a mail that another service caused, made there: one that is told twice is one. */
    event_id: text().unique(),
  },
  (table) => [
    index("mail_dealer").on(table.dealer_id, table.id),
    // Log-ins' mail waits by dealer. A partial index takes no name of a table.
    index("mail_waiting")
      .on(sql`CASE WHEN account_id IS NULL THEN -dealer_id ELSE account_id END`, table.due)
      .where(sql`due IS NOT NULL`),
    index("mail_account").on(table.account_id, table.created),
  ],
);
