import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Notice } from "#shared/contract/event/service-notice.ts";

/** Mails that are not delivered to the gateway yet. */
export const mailOutbox = sqliteTable(
  "mail_outbox",
  {
    id: text().primaryKey(),
    account_id: integer().notNull(),
    notice: text({ mode: "json" }).$type<Notice>().notNull(),
  },
  (table) => [index("mail_outbox_account").on(table.account_id)],
);
