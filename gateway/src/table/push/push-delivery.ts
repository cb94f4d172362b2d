import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Deliveries of events to push tokens. A finished one stays, so that an event reported twice is delivered once. */
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
    // SQLite refuses table names in the condition of a partial index.
    // Serves deleteToken.
    index("push_delivery_open").on(table.key, table.id).where(sql`is_over = 0`),
  ],
);

/** Condition: not delivered yet. With a literal 0, because SQLite does not match a bound value to the partial index. */
export const isOpen = sql`${pushDelivery.is_over} = 0`;
