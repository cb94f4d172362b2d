import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { EVENT_NAMES, type EventExtra } from "#shared/contract/event/event.ts";

/**
 * Changes of tasks and work statuses, which rules evaluate besides points. Triggers insert a row per change; it is
 * deleted once it is delivered to geo.
 */
export const activity = sqliteTable(
  "activity",
  {
    activity_id: text().primaryKey(),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    event: text({ enum: EVENT_NAMES }).notNull(),
    /** UTC milliseconds. */
    time: integer().notNull(),
    /** The new work status; null for other activities. */
    status_id: integer(),
    /** True for a form that was submitted again. */
    is_repeated: integer({ mode: "boolean" }).notNull().default(false),
    extra: text({ mode: "json" }).$type<EventExtra>().notNull(),
  },
  (table) => [index("activity_account").on(table.account_id)],
);
