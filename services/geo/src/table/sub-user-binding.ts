import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Things that a sub-user sees only if they are shared with it. */
export const SHARED_TYPES = ["place", "zone"] as const;
export type SharedType = (typeof SHARED_TYPES)[number];

/** Places and zones that are shared with a sub-user one by one. */
export const subUserBinding = sqliteTable(
  "sub_user_binding",
  {
    account_id: integer().notNull(),
    sub_user_id: integer().notNull(),
    type: text({ enum: SHARED_TYPES }).notNull(),
    thing_id: integer().notNull(),
    /** UTC milliseconds. */
    assigned_date: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sub_user_id, table.type, table.thing_id] }),
    // Serves removePlace.
    index("sub_user_binding_account").on(table.account_id, table.type, table.thing_id),
  ],
);
