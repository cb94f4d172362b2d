import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Work statuses, such as "free" or "busy". */
export const status = sqliteTable(
  "status",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    listing_id: integer().notNull(),
    label: text().notNull(),
    color: text().notNull(),
    /** The index in its list. */
    position: integer().notNull(),
  },
  (table) => [
    // Serves selectStatuses.
    index("status_listing_position").on(table.account_id, table.listing_id, table.position),
  ],
);
