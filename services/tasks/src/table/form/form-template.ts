import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { revisionColumn } from "#shared/database/revision.ts";
import type { FormField } from "./form-field.ts";

/** What forms are issued from. */
export const formTemplate = sqliteTable(
  "form_template",
  {
    // Forms keep ids: a deleted template's is never given out again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    revision: revisionColumn(),
    label: text().notNull(),
    description: text(),
    /** From 1, one more with each change by a caller. */
    version: integer().notNull(),
    fields: text({ mode: "json" }).$type<FormField[]>().notNull(),
    submit_in_zone: integer({ mode: "boolean" }).notNull(),
    /** Which one clients choose for new tasks, where there is one. */
    default: integer({ mode: "boolean" }).notNull(),
    /** UTC milliseconds. */
    created: integer().notNull(),
    updated: integer().notNull(),
    // Without marks and in lower case: forms are searched and sorted by their copies.
    label_folded: text().notNull(),
    description_folded: text().notNull(),
  },
  (table) => [
    // Ends in the id by itself, by which lists are sorted.
    index("form_template_account").on(table.account_id),
    // A partial index takes no name of a table.
    uniqueIndex("form_template_account_default").on(table.account_id).where(sql`"default"`),
  ],
);
export type FormTemplateRow = typeof formTemplate.$inferSelect;
