import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Term } from "#shared/contract/meter.ts";

/** By what a counter counts from a moment on. At equal moments the later row is the one that counts. */
export const counterSegment = sqliteTable(
  "counter_segment",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    counter_id: integer().notNull(),
    /** By the device's clock, UTC milliseconds; 0: from the first point on. */
    from_time: integer().notNull(),
    multiplier: real().notNull(),
    source: text({ mode: "json" }).$type<Term[]>().notNull(),
    /** What somebody set the counter to; null: it goes on from what it was. */
    value: real(),
    /** When somebody set it, by our clock. */
    set_time: integer(),
  },
  (table) => [index("counter_segment_counter").on(table.counter_id, table.id)],
);
