import { sql } from "drizzle-orm";
import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { ticketFileColumns } from "#shared/database/ticket-file.ts";

/** Files of service tasks for which a ticket was issued. Which tasks name a file stands in `service_task.file_ids`. */
export const serviceTaskFile = sqliteTable(
  "service_task_file",
  {
    ...ticketFileColumns(),
    /** The user who requested the ticket. */
    user_id: integer().notNull().default(0),
  },
  (table) => [
    index("service_task_file_account").on(table.account_id),
    // Serves claimExpired.
    index("service_task_file_expires").on(table.account_id, table.expires).where(sql`expires IS NOT NULL`),
  ],
);
