import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { EVENT_NAMES, type EventExtra } from "#shared/contract/event.ts";

/**
 * What rules watch and no point tells: changes of tasks and of work statuses. Triggers of the database make a row of each,
 * which stays until geo has heard of it.
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
    /** The new work status, where it is one. */
    status_id: integer(),
    /** Of a form: it was submitted before. */
    is_repeated: integer({ mode: "boolean" }).notNull().default(false),
    extra: text({ mode: "json" }).$type<EventExtra>().notNull(),
  },
  (table) => [index("activity_account").on(table.account_id)],
);
