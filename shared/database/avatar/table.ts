import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { AVATAR_OWNERS } from "../../image/avatar.ts";

/** Pictures that the things of a service show, or showed until they expired. */
export function avatarTable() {
  return sqliteTable(
    "avatar",
    {
      name: text().primaryKey(),
      account_id: integer().notNull(),
      owner: text({ enum: AVATAR_OWNERS }).notNull(),
      /** Bytes. */
      size: integer().notNull(),
      /**
       * Expiry in UTC milliseconds; null while a thing shows the picture. A trigger sets it when the thing is removed.
       */
      expires: integer(),
    },
    (table) => [
      // Serves announceAvatar.
      index("avatar_account").on(table.account_id, table.size),
      // Serves selectExpiredAvatars.
      index("avatar_expires").on(table.expires).where(sql`expires IS NOT NULL`),
    ],
  );
}
export type AvatarTable = ReturnType<typeof avatarTable>;
