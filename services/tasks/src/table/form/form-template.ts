import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";
import type { FormField } from "./form-field.ts";

/** Templates that forms are issued from. */
export const formTemplate = sqliteTable(
  "form_template",
  {
    // Forms keep ids: a deleted template's id is never used again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    revision: revisionColumn(),
    label: text().notNull(),
    description: text(),
    /** Starts at 1 and counts the changes by callers. */
    version: integer().notNull(),
    fields: text({ mode: "json" }).$type<FormField[]>().notNull(),
    submit_in_zone: integer({ mode: "boolean" }).notNull(),
    /** Clients preselect this template for new tasks; at most one per account. */
    default: integer({ mode: "boolean" }).notNull(),
    /** UTC milliseconds. */
    created: integer().notNull(),
    updated: integer().notNull(),
    // Folded copies (lower case, no diacritics), copied into forms for search and sorting.
    label_folded: text().notNull(),
    description_folded: text().notNull(),
  },
  (table) => [
    // Contains the id implicitly, which lists are sorted by.
    index("form_template_account").on(table.account_id),
    // A partial index cannot qualify columns by their table.
    uniqueIndex("form_template_account_default").on(table.account_id).where(sql`"default"`),
  ],
);
export type FormTemplateRow = typeof formTemplate.$inferSelect;
