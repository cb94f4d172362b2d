import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";
import type { FieldType } from "./custom-field.ts";

/** A custom field's value. `folded` is the text for search and order; of a long text only its beginning. */
export type StoredField = { type: FieldType; value: string | number; folded: string };
/** Values by the ids of custom fields. */
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
    /** The grid cell, for queries by position: see `grid/cell.ts`. */
    cell: integer().notNull(),
    icon_id: integer(),
    avatar_file_name: text(),
    external_id: text(),
    address: text().notNull(),
    // Copies in lower case without diacritics, for sorting.
    label_folded: text().notNull(),
    description_folded: text().notNull(),
    address_folded: text().notNull(),
    external_id_folded: text(),
    /** All texts for search, one per line. Custom fields have their own column, because they can be removed. */
    searched: text().notNull(),
    searched_fields: text().notNull(),
    /** The size of the place in an answer, and of its custom fields. */
    bytes: integer().notNull(),
    field_bytes: integer().notNull(),
    description: text().notNull(),
    fields: text({ mode: "json" }).$type<StoredFields>().notNull(),
  },
  (table) => [
    index("place_account").on(table.account_id),
    // Serves selectPlacesAt.
    index("place_account_cell").on(table.account_id, table.cell),
    // For uploads, which find places by external id.
    // Serves findByExternalIds.
    index("place_account_external").on(table.account_id, table.external_id).where(sql`external_id IS NOT NULL`),
    // Serves selectPlaces.
    index("place_account_label").on(table.account_id, table.label_folded),
    // For filters, which scan all places of an account: a covering index, without the rows.
    // Serves selectPlaces.
    index("place_account_searched").on(table.account_id, table.searched, table.searched_fields),
  ],
);
export type PlaceRow = typeof place.$inferSelect;
