import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { AreasAround } from "#shared/contract/point/area.ts";
import { revisionColumn } from "#shared/database/revision.ts";
import type { FormField, FormValues } from "./form-field.ts";

/** A position with its postal address. */
export type AddressedPosition = { lat: number; lng: number; address: string };

/**
 * A form, issued from a template for one task or one check-in. Database triggers delete it with its task or check-in,
 * and its files with it.
 */
export const form = sqliteTable(
  "form",
  {
    // Files keep ids: a deleted form's id is never used again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    revision: revisionColumn(),
    /** Null for a form of a check-in; its `checkin_id` stays null until that check-in is made. */
    task_id: integer(),
    checkin_id: integer(),
    /** The tracker of a form for a check-in; a task's form uses the tracker of its task. */
    tracker_id: integer(),
    /** The template may have been deleted. */
    template_id: integer().notNull(),
    template_version: integer().notNull(),
    label: text().notNull(),
    description: text().notNull(),
    fields: text({ mode: "json" }).$type<FormField[]>().notNull(),
    submit_in_zone: integer({ mode: "boolean" }).notNull(),
    /** UTC milliseconds. */
    created: integer().notNull(),
    values: text({ mode: "json" }).$type<FormValues>(),
    /** UTC milliseconds of the last submission. */
    submitted: integer(),
    submit_location: text({ mode: "json" }).$type<AddressedPosition>(),
    /** The areas around that location at the submission, with their names of that time; null until geo has answered. */
    submit_areas: text({ mode: "json" }).$type<AreasAround>(),
    /** Bytes of fields, values and areas: lists are cut into pages by their sum. */
    bytes: integer().notNull(),
    // Folded copies (lower case, no diacritics) for search and sorting.
    label_folded: text().notNull(),
    description_folded: text().notNull(),
    submit_address_folded: text(),
  },
  (table) => [
    // SQLite treats NULLs as distinct: any number of forms may have no task.
    uniqueIndex("form_account_task").on(table.account_id, table.task_id),
    uniqueIndex("form_account_checkin").on(table.account_id, table.checkin_id),
    // Serves countUses.
    index("form_account_template").on(table.account_id, table.template_id),
    // Serves selectFormsWithoutAreas.
    index("form_unnamed")
      .on(table.account_id, table.id)
      .where(sql`task_id IS NOT NULL AND submit_location IS NOT NULL AND submit_areas IS NULL`),
  ],
);
export type FormRow = typeof form.$inferSelect;
