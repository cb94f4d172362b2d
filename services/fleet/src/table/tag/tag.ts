import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const tag = sqliteTable(
  "tag",
  {
    // Other services bind ids: a deleted tag's is never given out again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    name: text().notNull(),
    /** Without marks and in lower case: what is searched. */
    name_folded: text().notNull(),
    color: text().notNull(),
    avatar_file_name: text(),
    /** Being deleted: still there until nothing carries it, nowhere; but bound to nothing any more. */
    removing: integer({ mode: "boolean" }).notNull().default(false),
    icon_id: integer(),
  },
  (table) => [
    index("tag_account").on(table.account_id),
    // A partial index takes no name of a table.
    index("tag_removing").on(table.account_id, table.id).where(sql`removing`),
  ],
);
export type TagRow = typeof tag.$inferSelect;
