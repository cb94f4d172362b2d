import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { PREVIEW_STATES } from "#shared/contract/file/file-object.ts";
import { FILE_OWNERS, FILE_STATES, FILE_TYPES } from "#shared/contract/file/file-ticket.ts";

/** Files of accounts, from the ticket on. Their contents are in the bucket. Times are UTC milliseconds. */
export const file = sqliteTable(
  "file",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    user_id: integer().notNull(),
    /** The kind of thing that the ticket is for; uploads are delivered to its service. */
    owner: text({ enum: FILE_OWNERS }).notNull(),
    type: text({ enum: FILE_TYPES }).notNull(),
    /** The name by the ticket, else by the upload; null before both. */
    filename: text(),
    metadata: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Bytes that count against the quota: reserved by the ticket, then those of the content. */
    size: integer().notNull(),
    mime_type: text(),
    state: text({ enum: FILE_STATES }).notNull(),
    created: integer().notNull(),
    uploaded: integer(),
    /** The key of the content in the bucket; null before the upload. */
    key: text(),
    /** The content's SHA-256. A repeated upload with the same one gets the same answer again. */
    digest: text(),
    /** The number of uploads begun with the ticket. */
    attempts: integer().notNull().default(0),
    /** When to search the file's folder for leftovers of failed uploads; null: there cannot be any. */
    cleanup_due: integer(),
    /** When the file or ticket expires and is removed; null: never. */
    expires: integer(),
    /** Since when the upload waits to be delivered to the owner's service; null: delivered, or not uploaded yet. */
    undelivered_since: integer(),
    /** The state of the previews; null if the file is no image. */
    preview_state: text({ enum: PREVIEW_STATES }),
    /** When to make or retry the previews; null: there is nothing to make. */
    previews_due: integer(),
    preview_tries: integer().notNull().default(0),
  },
  (table) => [
    // Covers the query that sums up the quota.
    // Serves readStats.
    index("file_held").on(table.account_id, table.expires, table.size, table.state),
    // Serves selectExpired.
    index("file_expires_of_account").on(table.account_id, table.expires).where(sql`expires IS NOT NULL`),
    // Serves selectUndelivered.
    index("file_undelivered_of_account")
      .on(table.account_id, table.undelivered_since)
      .where(sql`undelivered_since IS NOT NULL`),
    // Serves selectCleanupsDue.
    index("file_cleanup_due").on(table.account_id, table.cleanup_due).where(sql`cleanup_due IS NOT NULL`),
    // Serves claimDuePreview.
    index("file_previews_due").on(table.account_id, table.previews_due).where(sql`previews_due IS NOT NULL`),
  ],
);
export type FileRow = typeof file.$inferSelect;
