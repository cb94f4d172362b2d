import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const FIELD_TYPES = ["text", "bigtext", "email", "phone", "decimal", "integer", "employee"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** What an account keeps of its places besides what all places have. */
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
    /** Of an employee: the place is shown to whoever it names. */
    responsible: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [uniqueIndex("custom_field_account_label").on(table.account_id, table.label)],
);
export type CustomFieldRow = typeof customField.$inferSelect;
