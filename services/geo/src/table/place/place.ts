import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";
import type { FieldType } from "./custom-field.ts";

/** A custom field's value; `folded` is what is searched and sorted, of a long text its beginning. */
export type StoredField = { type: FieldType; value: string | number; folded: string };
/** By the ids of fields. */
export type StoredFields = Record<string, StoredField>;

export const place = sqliteTable(
  "place",
  {
    // Forms and events keep ids: a deleted place's is never given out again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    revision: revisionColumn(),
    label: text().notNull(),
    lat: real().notNull(),
    lng: real().notNull(),
    /** Meters. */
    radius: integer().notNull(),
    /** Where a look-up by place finds it: see `grid/cell.ts`. */
    cell: integer().notNull(),
    icon_id: integer(),
    avatar_file_name: text(),
    external_id: text(),
    address: text().notNull(),
    // Copies without marks and in lower case, by which the texts are sorted.
    label_folded: text().notNull(),
    description_folded: text().notNull(),
    address_folded: text().notNull(),
    external_id_folded: text(),
    /** Everything that a place is found by, each on a line; its custom fields apart, as they may be forgotten. */
    searched: text().notNull(),
    searched_fields: text().notNull(),
    /** What it takes in an answer, and what its custom fields take besides. */
    bytes: integer().notNull(),
    field_bytes: integer().notNull(),
    description: text().notNull(),
    fields: text({ mode: "json" }).$type<StoredFields>().notNull(),
  },
  (table) => [
    index("place_account").on(table.account_id),
    index("place_account_cell").on(table.account_id, table.cell),
    // An upload looks up places by it.
    index("place_account_external").on(table.account_id, table.external_id).where(sql`external_id IS NOT NULL`),
    index("place_account_label").on(table.account_id, table.label_folded),
    // A filter looks through all of the account: here it finds the texts side by side, without the rows.
    index("place_account_searched").on(table.account_id, table.searched, table.searched_fields),
  ],
);
export type PlaceRow = typeof place.$inferSelect;
