import { integer, sqliteTable, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Events behind `read_up_to` of their reader that a user has read one by one; at most `MAX_READ_EVENTS`. */
export const readEvent = sqliteTable(
  "read_event",
  {
    account_id: integer().notNull(),
    user_id: integer().notNull(),
    event_id: integer().notNull(),
  },
  (table) => [uniqueIndex("read_event_user").on(table.account_id, table.user_id, table.event_id)],
);
