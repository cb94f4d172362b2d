import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const SYNC_KINDS = ["task", "form_template"] as const;

/**
 * Changes of tasks and form templates, which phones copy. Triggers store them, whichever statement makes the change.
 */
export const syncChange = sqliteTable(
  "sync_change",
  {
    account_id: integer().notNull(),
    kind: text({ enum: SYNC_KINDS }).notNull(),
    id: integer().notNull(),
    /** The tracker of the task before or after the change: callers who see it read the change. 0 without a tracker. */
    tracker_id: integer().notNull(),
    /** Counts the changes of the account. */
    revision: integer().notNull(),
    /** UTC milliseconds. */
    changed: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.kind, table.id, table.tracker_id] }),
    // Serves selectChanges.
    index("sync_change_revision").on(table.account_id, table.revision),
    index("sync_change_changed").on(table.changed),
  ],
);
