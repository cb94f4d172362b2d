import { index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";

/** What changed of the places that phones take along: triggers write it, for whatever statement makes the change. */
export const placeChange = sqliteTable(
  "place_change",
  {
    account_id: integer().notNull(),
    /** 0 where a sub-user was let to see all places, or no more. */
    place_id: integer().notNull(),
    /** Who alone is to hear of it: whom the place was shown to or hidden from. 0: everybody who sees the place. */
    sub_user_id: integer().notNull(),
    /** Of the account: each change has the next one. */
    revision: integer().notNull(),
    /** UTC milliseconds. */
    changed: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.place_id, table.sub_user_id] }),
    index("place_change_revision").on(table.account_id, table.sub_user_id, table.revision),
    index("place_change_changed").on(table.changed),
  ],
);
