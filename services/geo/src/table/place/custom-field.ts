import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const FIELD_TYPES = ["text", "bigtext", "email", "phone", "decimal", "integer", "employee"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Additional fields of an account's places. */
export const customField = sqliteTable(
  "custom_field",
  {
    // Layouts and values keep ids: a deleted field's is never given out again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    label: text().notNull(),
    type: text({ enum: FIELD_TYPES }).notNull(),
    required: integer({ mode: "boolean" }).notNull(),
    description: text().notNull(),
    /** For fields of type `employee`: the named employee is responsible for the place and sees it. */
    responsible: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [uniqueIndex("custom_field_account_label").on(table.account_id, table.label)],
);
export type CustomFieldRow = typeof customField.$inferSelect;
