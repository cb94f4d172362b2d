import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { PREVIEW_STATES } from "#shared/contract/file-object.ts";
import { FILE_OWNERS, FILE_STATES, FILE_TYPES } from "#shared/contract/file-ticket.ts";

/** A file of a customer, from its ticket on; the content stands in the bucket. Times are UTC milliseconds. */
export const file = sqliteTable(
  "file",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    user_id: integer().notNull(),
    /** What kind of thing the ticket was asked for: its service hears of the upload. */
    owner: text({ enum: FILE_OWNERS }).notNull(),
    type: text({ enum: FILE_TYPES }).notNull(),
    /** Null: nobody has named it yet. */
    filename: text(),
    metadata: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Bytes that count against the quota: those reserved, once it is uploaded its own. */
    size: integer().notNull(),
    mime_type: text(),
    state: text({ enum: FILE_STATES }).notNull(),
    created: integer().notNull(),
    uploaded: integer(),
    /** Under which the upload that counts is in the bucket. */
    key: text(),
    /** The content's SHA-256: who sends it again has lost the answer. */
    digest: text(),
    /** How many times somebody has begun to upload it. */
    attempts: integer().notNull().default(0),
    /** When the sweep looks whether attempts have left something in the bucket; null: they cannot have. */
    cleanup_due: integer("look_at"),
    /** From when on it is to be removed; null: never. */
    expires: integer(),
    /** Since when the owner's service is to hear that it is uploaded; null: it has. */
    undelivered_since: integer("untold_since"),
    /** Null for what is no image. */
    preview_state: text({ enum: PREVIEW_STATES }),
    /** When the previews of it are to be made, or tried again; null: not, or not any more. */
    previews_due: integer(),
    preview_tries: integer().notNull().default(0),
  },
  (table) => [
    // Holds all that the quota is summed up from.
    index("file_held").on(table.account_id, table.expires, table.size, table.state),
    index("file_expires_of_account").on(table.account_id, table.expires).where(sql`expires IS NOT NULL`),
    index("file_untold_of_account").on(table.account_id, table.undelivered_since).where(sql`untold_since IS NOT NULL`),
    index("file_look").on(table.account_id, table.cleanup_due).where(sql`look_at IS NOT NULL`),
    index("file_previews_due").on(table.account_id, table.previews_due).where(sql`previews_due IS NOT NULL`),
  ],
);
export type FileRow = typeof file.$inferSelect;
