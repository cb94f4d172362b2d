import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Term } from "#shared/contract/point/meter.ts";

/** Sections of a counter: from `from_time` on it counts `source`. Of rows with the same time the last one counts. */
export const counterSegment = sqliteTable(
  "counter_segment",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    counter_id: integer().notNull(),
    /** Time by the device's clock in UTC milliseconds; 0: from the first point on. */
    from_time: integer().notNull(),
    multiplier: real().notNull(),
    source: text({ mode: "json" }).$type<Term[]>().notNull(),
    /** The value that a user set; null: the counter continues from its value. */
    value: real(),
    /** When the value was set, by the server's clock. */
    set_time: integer(),
  },
  (table) => [
    // Serves requireIgnition.
    index("counter_segment_counter").on(table.counter_id, table.id),
  ],
);
