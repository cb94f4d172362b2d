import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { WORK_FILE_OWNERS } from "#shared/contract/file/file-ticket.ts";
import { ticketFileColumns } from "#shared/database/ticket-file.ts";

/**
 * A file of a check-in or form: its ticket, or its content in the files service. The row says which item references it.
 */
export const file = sqliteTable(
  "file",
  {
    ...ticketFileColumns(),
    /** The user who requested the ticket. */
    user_id: integer().notNull(),
    /** The kind of item that the ticket was requested for. */
    owner: text({ enum: WORK_FILE_OWNERS }).notNull(),
    // Reported by the files service; null before the upload.
    name: text(),
    size: integer(),
    mime_type: text(),
    /** The form and field that it was uploaded for. */
    form_id: integer(),
    field_id: text(),
    /** The check-in that shows it. */
    checkin_id: integer(),
  },
  (table) => [
    index("file_account").on(table.account_id),
    // Serves selectByToken.
    index("file_form").on(table.form_id, table.field_id).where(sql`form_id IS NOT NULL`),
    // Serves form_of_checkin.
    index("file_checkin").on(table.checkin_id).where(sql`checkin_id IS NOT NULL`),
    // Serves claimExpired.
    index("file_expires").on(table.account_id, table.expires).where(sql`expires IS NOT NULL`),
  ],
);
