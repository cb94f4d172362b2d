import { z } from "zod";
import { text } from "#shared/operation/fields.ts";
import { type CustomFieldRow, FIELD_TYPES } from "../../table/custom-field.ts";

const Members = z.object({
  label: text(255).min(1),
  type: z.enum(FIELD_TYPES),
  required: z.boolean().default(false),
  description: text(512).default(""),
  /** Of an employee alone. */
  params: z.object({ responsible: z.boolean().default(false) }).optional(),
});

/** Without an id, one is made. */
export const FieldInput = Members.extend({ id: z.int().nullable().default(null) });
export type FieldInput = z.output<typeof FieldInput>;

export const CustomField = Members.extend({ id: z.int() });
export type CustomField = z.output<typeof CustomField>;

export function toCustomField({ account_id, responsible, ...row }: CustomFieldRow): CustomField {
  return { ...row, ...(row.type === "employee" && { params: { responsible } }) };
}
