import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** What carries tags in this service. */
export const TAGGED = ["employee", "vehicle", "tracker"] as const;
export type Tagged = (typeof TAGGED)[number];

export const tagBinding = sqliteTable(
  "tag_binding",
  {
    entity_type: text({ enum: TAGGED }).notNull(),
    entity_id: integer().notNull(),
    /** The order in which the tags were given; a tracker's is its user's, 1 to 5. */
    ordinal: integer().notNull(),
    tag_id: integer().notNull(),
    account_id: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.entity_type, table.entity_id, table.ordinal] }),
    uniqueIndex("tag_binding_account_tag").on(table.account_id, table.tag_id, table.entity_type, table.entity_id),
  ],
);
