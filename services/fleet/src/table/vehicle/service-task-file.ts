import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Files of service tasks for which a ticket was issued. Which tasks name a file stands in `service_task.file_ids`. */
export const serviceTaskFile = sqliteTable(
  "service_task_file",
  {
    /** The id that the files service gave. */
    id: integer().primaryKey(),
    account_id: integer().notNull(),
    /** The user who requested the ticket. */
    user_id: integer().notNull().default(0),
    /** Tasks may name `uploaded` files only; a file that is `removing` is being removed. */
    state: text({ enum: ["created", "uploaded", "removing"] }).notNull(),
    /** UTC milliseconds after which the file is removed; null while a task names it. */
    expires: integer(),
  },
  (table) => [
    index("service_task_file_account").on(table.account_id),
    // Serves claimExpiredFiles.
    index("service_task_file_expires").on(table.account_id, table.expires).where(sql`expires IS NOT NULL`),
  ],
);
