import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { AreasAround } from "#shared/contract/area.ts";
import { revisionColumn } from "#shared/database/revision.ts";
import type { FormField, FormValues } from "./form-field.ts";

/** Where somebody was. */
export type AddressedPosition = { lat: number; lng: number; address: string };

/**
 * A form, issued from a template for a task or a check-in and used once. It goes with what it was issued for, and its files
 * with it: triggers of the database see to both.
 */
export const form = sqliteTable(
  "form",
  {
    // Files keep ids: a deleted form's is never given out again.
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    revision: revisionColumn(),
    /** One of a check-in has none, and belongs to no check-in until that is made. */
    task_id: integer(),
    checkin_id: integer(),
    /** The check-in's; a task says itself which tracker it has. */
    tracker_id: integer(),
    /** The template may be no more. */
    template_id: integer().notNull(),
    template_version: integer().notNull(),
    label: text().notNull(),
    description: text().notNull(),
    fields: text({ mode: "json" }).$type<FormField[]>().notNull(),
    submit_in_zone: integer({ mode: "boolean" }).notNull(),
    /** UTC milliseconds. */
    created: integer().notNull(),
    values: text({ mode: "json" }).$type<FormValues>(),
    /** When last, in UTC milliseconds. */
    submitted: integer(),
    submit_location: text({ mode: "json" }).$type<AddressedPosition>(),
    /** What held that location when it was submitted, as it was called then; null: nobody was asked yet. */
    submit_areas: text({ mode: "json" }).$type<AreasAround>(),
    /** Bytes of fields, values and areas: lists are cut into pages by them. */
    bytes: integer().notNull(),
    // Without marks and in lower case: what is searched and sorted by.
    label_folded: text().notNull(),
    description_folded: text().notNull(),
    submit_address_folded: text(),
  },
  (table) => [
    // SQLite keeps NULLs apart: any number of forms may be of no task.
    uniqueIndex("form_account_task").on(table.account_id, table.task_id),
    uniqueIndex("form_account_checkin").on(table.account_id, table.checkin_id),
    index("form_account_template").on(table.account_id, table.template_id),
    index("form_unnamed")
      .on(table.account_id, table.id)
      .where(sql`task_id IS NOT NULL AND submit_location IS NOT NULL AND submit_areas IS NULL`),
  ],
);
export type FormRow = typeof form.$inferSelect;
