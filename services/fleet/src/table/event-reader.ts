import { integer, sqliteTable, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Up to which event each user has read all events. Users without a row have read none of them. */
export const eventReader = sqliteTable(
  "event_reader",
  {
    account_id: integer().notNull(),
    user_id: integer().notNull(),
    /** The id of an event: that one and all before it count as read. */
    read_up_to: integer().notNull(),
  },
  (table) => [uniqueIndex("event_reader_user").on(table.account_id, table.user_id)],
);
