import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A file for service tasks that files has a ticket or the content of. Which tasks name it stands with them. */
export const serviceTaskFile = sqliteTable(
  "service_task_file",
  {
    /** The file's. */
    id: integer().primaryKey(),
    account_id: integer().notNull(),
    /** Who asked for the ticket. */
    user_id: integer().notNull().default(0),
    /** Only one that is `uploaded` may be named; one that is `going` is being removed. */
    state: text({ enum: ["created", "uploaded", "going"] }).notNull(),
    /** UTC milliseconds from when on it goes; null: a task names it. */
    expires: integer(),
  },
  (table) => [
    index("service_task_file_account").on(table.account_id),
    index("service_task_file_expires").on(table.account_id, table.expires).where(sql`expires IS NOT NULL`),
  ],
);
