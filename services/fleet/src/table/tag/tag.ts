import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const tag = sqliteTable(
  "tag",
  {
    // Other services keep ids, so the id of a deleted tag is never given again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    name: text().notNull(),
    /** The name without marks and in lower case, to search by. */
    name_folded: text().notNull(),
    color: text().notNull(),
    avatar_file_name: text(),
    /** Being deleted: the row stays until no service has a binding of the tag any more. New bindings are refused. */
    removing: integer({ mode: "boolean" }).notNull().default(false),
    /** When a call last began to remove the tag, in ms since the epoch; the sweep leaves it to that call for a while. */
    removing_since: integer().notNull().default(0),
    icon_id: integer(),
  },
  (table) => [
    index("tag_account").on(table.account_id),
    // The condition of a partial index must not name the table.
    // Serves selectRemovingTags.
    index("tag_removing").on(table.account_id, table.id).where(sql`removing`),
  ],
);
export type TagRow = typeof tag.$inferSelect;
