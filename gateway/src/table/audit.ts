import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The audit log: who changed what, when and from where. */
export const audit = sqliteTable(
  "audit",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Created by the Worker that made the change; unique, so that an entry delivered twice is stored once. */
    event_id: text().notNull().unique(),
    account_id: integer().notNull(),
    /** The master or sub-user who acted; 0 for an operator. */
    user_id: integer().notNull(),
    entry_category: text().notNull(),
    entry_id: integer(),
    action: text().notNull(),
    payload: text({ mode: "json" }).$type<Record<string, unknown>>(),
    host: text().notNull(),
    user_agent: text().notNull(),
    action_date: integer().notNull(),
    /** The type of the event that the trigger `audit_event` makes of the entry; null: it makes none. */
    event_type: text(),
    /** The tracker that the entry is about: it decides which sub-users see the event. */
    event_tracker_id: integer(),
  },
  (table) => [
    // Serves deleteEntries.
    index("audit_account_date").on(table.account_id, table.action_date, table.id),
  ],
);
export type AuditRow = typeof audit.$inferSelect;
