import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { RECORD_KINDS } from "./record.ts";

/** Items to be recorded. Triggers add them; an item that changes again moves to the end. */
export const recordQueue = sqliteTable(
  "record_queue",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    kind: text({ enum: RECORD_KINDS }).notNull(),
    thing_id: integer().notNull(),
  },
  (table) => [
    uniqueIndex("record_queue_thing").on(table.kind, table.thing_id),
    index("record_queue_account").on(table.account_id),
  ],
);
