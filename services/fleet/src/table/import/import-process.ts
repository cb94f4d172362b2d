import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { IMPORT_STATUSES, IMPORTED } from "#shared/contract/import-process.ts";

/** On whose behalf rows are imported, long after the call. */
export type Importer = Pick<Principal, "account_id" | "scope" | "limits" | "rights">;

export const importProcess = sqliteTable(
  "import_process",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    user_id: integer().notNull(),
    type: text({ enum: IMPORTED }).notNull(),
    /** The sheet's name in files. */
    filename: text().notNull(),
    headers: text({ mode: "json" }).$type<string[]>().notNull(),
    user_headers: text({ mode: "json" }).$type<string[]>(),
    status: text({ enum: IMPORT_STATUSES }).notNull(),
    /** UTC milliseconds. */
    created: integer().notNull(),
    status_change_date: integer().notNull(),
    total_lines: integer().notNull(),
    /** Where it goes on: rows of the sheet before it are imported, or have failed. */
    processed_lines: integer().notNull(),
    imported: integer().notNull(),
    failed: integer().notNull(),
    /** How often it was taken up since it last moved on. */
    attempts: integer().notNull(),
    importer: text({ mode: "json" }).$type<Importer>().notNull(),
    actor: text({ mode: "json" }).$type<Actor>().notNull(),
    // Within the transaction of a part: its rows, and the id in front of those that they get.
    given: text(),
    base_id: integer(),
  },
  (table) => [
    index("import_process_account").on(table.account_id, table.id),
    index("import_process_status").on(table.status, table.status_change_date),
    // The same file in the same columns, once at a time. A partial index takes no name of a table.
    uniqueIndex("import_process_open")
      .on(table.account_id, table.type, table.filename, table.headers)
      .where(sql`status IN ('created', 'in_progress')`),
  ],
);
export type ImportRow = typeof importProcess.$inferSelect;
