import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** An event on its way to a session's token; it stays when it is over, so that none goes there twice. */
export const pushDelivery = sqliteTable(
  "push_delivery",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    push_event_id: integer().notNull(),
    /** The session's keyed hash. */
    key: text().notNull(),
    is_over: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    uniqueIndex("push_delivery_event_key").on(table.push_event_id, table.key),
    // A partial index takes no name of a table.
    index("push_delivery_open").on(table.key, table.id).where(sql`is_over = 0`),
  ],
);

/** As a literal: a variable would not find the partial index. */
export const isOpen = sql`${pushDelivery.is_over} = 0`;
