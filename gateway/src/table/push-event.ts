import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { HistoryEntry } from "#shared/contract/event.ts";

/** What a notification can be about. */
export const PUSH_CATEGORIES = [
  "chat_message",
  "history_rule",
  "history_task",
  "history_info",
  "history_service_task",
  "history_work_status",
] as const;

/** Events that somebody is notified of; they are kept for longer than fleet tells them again. */
export const pushEvent = sqliteTable(
  "push_event",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    event_id: text().notNull().unique(),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    category: text({ enum: PUSH_CATEGORIES }).notNull(),
    /** Its time in UTC milliseconds. */
    entry: text({ mode: "json" }).$type<HistoryEntry>().notNull(),
    /** When fleet stored it. */
    stored: integer().notNull(),
    /** The sub-user that alone hears of it; null: whoever sees the tracker. */
    private_to: integer(),
  },
  (table) => [index("push_event_stored").on(table.stored)],
);
