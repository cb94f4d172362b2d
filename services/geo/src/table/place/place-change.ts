import { index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";

/**
 * Changes of places, for phones that synchronize them. Triggers write the rows for every statement that changes a
 * place.
 */
export const placeChange = sqliteTable(
  "place_change",
  {
    account_id: integer().notNull(),
    /** The place; 0: a sub-user got or lost access to all places. */
    place_id: integer().notNull(),
    /**
     * The sub-user that the place was shared with or hidden from; 0: the change concerns everyone who sees the place.
     */
    sub_user_id: integer().notNull(),
    /** The account's counter of changes; each change has the next number. */
    revision: integer().notNull(),
    /** UTC milliseconds. */
    changed: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.place_id, table.sub_user_id] }),
    // Serves selectChanges.
    index("place_change_revision").on(table.account_id, table.sub_user_id, table.revision),
    index("place_change_changed").on(table.changed),
  ],
);
