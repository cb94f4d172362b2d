import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { HistoryEntry } from "#shared/contract/event/event.ts";

/** The subjects of notifications, by which users filter them. */
export const PUSH_CATEGORIES = [
  "chat_message",
  "history_rule",
  "history_task",
  "history_info",
  "history_service_task",
  "history_work_status",
] as const;

/** Events to notify users of. Kept longer than the fleet service may deliver them again. */
export const pushEvent = sqliteTable(
  "push_event",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    event_id: text().notNull().unique(),
    account_id: integer().notNull(),
    tracker_id: integer().notNull(),
    category: text({ enum: PUSH_CATEGORIES }).notNull(),
    /** The history entry; its `time` is in UTC milliseconds. */
    entry: text({ mode: "json" }).$type<HistoryEntry>().notNull(),
    /** When the fleet service stored the event, in UTC milliseconds. */
    stored: integer().notNull(),
    /** The only user to notify; null: all users who see the tracker. */
    private_to: integer(),
  },
  (table) => [index("push_event_stored").on(table.stored)],
);
