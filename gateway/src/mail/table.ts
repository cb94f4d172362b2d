import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Outgoing mail: written in the batch of the change that causes it, sent later, kept for the operator to read. */
export const mail = sqliteTable(
  "mail",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    dealer_id: integer().notNull(),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    created: integer().notNull(),
  },
  (table) => [index("mail_dealer").on(table.dealer_id, table.id)],
);
