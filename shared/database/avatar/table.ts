import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { AVATAR_OWNERS } from "../../image/avatar.ts";

/** The pictures in the bucket that things of a service have, or had; each service that has such things keeps its own. */
export function avatarTable() {
  return sqliteTable(
    "avatar",
    {
      name: text().primaryKey(),
      account_id: integer().notNull(),
      owner: text({ enum: AVATAR_OWNERS }).notNull(),
      /** Bytes. */
      size: integer().notNull(),
      /** UTC milliseconds from which on it is to be removed; null: a thing has it. A trigger sets it when the thing goes. */
      expires: integer(),
    },
    (table) => [
      index("avatar_account").on(table.account_id, table.size),
      index("avatar_expires").on(table.expires).where(sql`expires IS NOT NULL`),
    ],
  );
}
export type AvatarTable = ReturnType<typeof avatarTable>;
