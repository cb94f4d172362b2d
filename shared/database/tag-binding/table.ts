import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Tags bound to things of a service. */
export function tagBindingTable<const Types extends readonly [string, ...string[]]>(types: Types) {
  return sqliteTable(
    "tag_binding",
    {
      entity_type: text({ enum: types as unknown as [Types[number], ...Types[number][]] }).notNull(),
      entity_id: integer().notNull(),
      /** Index in the user's order; for trackers the user's own number, 1 to 5. */
      ordinal: integer().notNull(),
      tag_id: integer().notNull(),
      account_id: integer().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.entity_type, table.entity_id, table.ordinal] }),
      uniqueIndex("tag_binding_account_tag").on(table.account_id, table.tag_id, table.entity_type, table.entity_id),
    ],
  );
}
export type TagBindingTable<Type extends string = string> = ReturnType<
  typeof tagBindingTable<readonly [Type, ...Type[]]>
>;

/** Removed tags, in services that do not own tags: a call that looked a tag up before its removal cannot bind it. */
export function removedTagTable() {
  return sqliteTable("removed_tag", { tag_id: integer().primaryKey(), account_id: integer().notNull() });
}
export type RemovedTagTable = ReturnType<typeof removedTagTable>;
export type RemovedTag = { account_id: number; tag_id: number };
