import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const SYNC_KINDS = ["task", "form_template"] as const;

/** What changed of what phones take along: triggers write it, for whatever statement makes the change. */
export const syncChange = sqliteTable(
  "sync_change",
  {
    account_id: integer().notNull(),
    kind: text({ enum: SYNC_KINDS }).notNull(),
    id: integer().notNull(),
    /** Whose it was or is: who sees that tracker is to hear of it. 0 where it was nobody's. */
    tracker_id: integer().notNull(),
    /** Of the account: each change has the next one. */
    revision: integer().notNull(),
    /** UTC milliseconds. */
    changed: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.kind, table.id, table.tracker_id] }),
    index("sync_change_revision").on(table.account_id, table.revision),
    index("sync_change_changed").on(table.changed),
  ],
);
