import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { SHARED_TYPES } from "./sub-user-binding.ts";

/** Sub-users that see all places, or all zones, of their master. */
export const subUserAccess = sqliteTable(
  "sub_user_access",
  {
    account_id: integer().notNull(),
    sub_user_id: integer().notNull(),
    type: text({ enum: SHARED_TYPES }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sub_user_id, table.type] }),
    index("sub_user_access_account").on(table.account_id),
  ],
);
