import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Addresses outside the account that its rules and reports write to. Each is asked once and gets nothing until it agrees. */
export const mailAgreement = sqliteTable(
  "mail_agreement",
  {
    account_id: integer().notNull(),
    /** The e-mail address in lower case. */
    address: text().notNull(),
    agreed: integer({ mode: "boolean" }).notNull().default(false),
    asked: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.address] })],
);
