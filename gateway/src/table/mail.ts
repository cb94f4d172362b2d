import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Outgoing mail: stored with the change that causes it, sent afterwards, and kept for operators to read. */
export const mail = sqliteTable(
  "mail",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    dealer_id: integer().notNull(),
    /** The account that the mail counts for; null for mail about log-ins and passwords. */
    account_id: integer(),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    /** The hash or code in the text that gives access to an account; null without one, and once the mail has been sent. */
    secret: text(),
    created: integer().notNull(),
    /** When to try next; null: sent, refused for good, or never sent because the installation sends no mail. */
    due: integer(),
    tries: integer().notNull().default(0),
    /** Created by the service that caused the mail; unique, so that a notice delivered twice is sent once. */
    event_id: text().unique(),
  },
  (table) => [
    // Serves selectMail.
    index("mail_dealer").on(table.dealer_id, table.id),
    // Mail without an account is grouped by dealer. The index of SQLite refuses table names in its condition.
    // Serves claimDueMails.
    index("mail_waiting")
      .on(sql`CASE WHEN account_id IS NULL THEN -dealer_id ELSE account_id END`, table.due)
      .where(sql`due IS NOT NULL`),
    // Serves insertNotices.
    index("mail_account").on(table.account_id, table.created),
  ],
);
