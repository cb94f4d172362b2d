import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { IMPORT_STATUSES, IMPORTED } from "#shared/contract/import-process.ts";

/** The part of the starting user's principal that is needed to import rows long after its call. */
export type Importer = Pick<Principal, "account_id" | "scope" | "limits" | "rights">;

export const importProcess = sqliteTable(
  "import_process",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    user_id: integer().notNull(),
    type: text({ enum: IMPORTED }).notNull(),
    /** The name of the sheet in the files service. */
    filename: text().notNull(),
    headers: text({ mode: "json" }).$type<string[]>().notNull(),
    user_headers: text({ mode: "json" }).$type<string[]>(),
    status: text({ enum: IMPORT_STATUSES }).notNull(),
    /** UTC milliseconds. */
    created: integer().notNull(),
    status_change_date: integer().notNull(),
    total_lines: integer().notNull(),
    /** Lines of the sheet that are processed: imported, failed or empty. The import continues behind them. */
    processed_lines: integer().notNull(),
    imported: integer().notNull(),
    failed: integer().notNull(),
    /** The number of attempts since the last stored batch. */
    attempts: integer().notNull(),
    importer: text({ mode: "json" }).$type<Importer>().notNull(),
    actor: text({ mode: "json" }).$type<Actor>().notNull(),
    // Used within the transaction of a batch only: its lines as JSON, and the highest id of the target table before it.
    batch_lines: text(),
    base_row_id: integer(),
  },
  (table) => [
    // Serves selectImports.
    index("import_process_account").on(table.account_id, table.id),
    // Serves deleteEndedImports.
    index("import_process_status").on(table.status, table.status_change_date),
    // One open import per file and columns. The condition of a partial index must not name the table.
    uniqueIndex("import_process_open")
      .on(table.account_id, table.type, table.filename, table.headers)
      .where(sql`status IN ('created', 'in_progress')`),
  ],
);
export type ImportRow = typeof importProcess.$inferSelect;
