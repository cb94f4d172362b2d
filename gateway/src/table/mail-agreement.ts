import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Third parties that an account wants to be written to: each is asked once, and gets nothing else until it agrees. */
export const mailAgreement = sqliteTable(
  "mail_agreement",
  {
    account_id: integer().notNull(),
    /** In lower case. */
    address: text().notNull(),
    agreed: integer({ mode: "boolean" }).notNull().default(false),
    asked: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.address] })],
);
