import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { WORK_FILE_OWNERS } from "#shared/contract/file-ticket.ts";

/** A file for check-ins and forms that files has a ticket or the content of. What names it says so itself. */
export const file = sqliteTable(
  "file",
  {
    /** The one that files gave it. */
    id: integer().primaryKey(),
    account_id: integer().notNull(),
    /** Who asked for the ticket. */
    user_id: integer().notNull(),
    /** For what kind of thing the ticket was asked. */
    owner: text({ enum: WORK_FILE_OWNERS }).notNull(),
    /** Only one that is `uploaded` may be named; one that is `going` is being removed. */
    state: text({ enum: ["created", "uploaded", "going"] }).notNull(),
    /** UTC milliseconds from when on it goes; null: something names it. */
    expires: integer(),
    // What came in, as files tells it; null before that, or where it came before such things were kept.
    name: text(),
    size: integer(),
    mime_type: text(),
    /** The form and its field that it was asked for. */
    form_id: integer(),
    field_id: text(),
    /** The check-in that shows it. */
    checkin_id: integer(),
  },
  (table) => [
    index("file_account").on(table.account_id),
    index("file_form").on(table.form_id, table.field_id).where(sql`form_id IS NOT NULL`),
    index("file_checkin").on(table.checkin_id).where(sql`checkin_id IS NOT NULL`),
    index("file_expires").on(table.account_id, table.expires).where(sql`expires IS NOT NULL`),
  ],
);
