import * as z from "zod";
import { text } from "#shared/operation/fields.ts";
import { toPartial, wholeWithoutId } from "#shared/operation/partial.ts";
import { type CustomFieldRow, FIELD_TYPES } from "../../table/place/custom-field.ts";

const Params = z.object({ responsible: z.boolean().default(false) });

const Members = z.object({
  label: text(255).min(1),
  type: z.enum(FIELD_TYPES),
  required: z.boolean().default(false),
  description: text(512).default(""),
  /** For fields of type `employee`. */
  params: Params.optional(),
});

export const NewField = Members;
export type NewField = z.output<typeof NewField>;
/** A field without an id is created. */
export const FieldInput = toPartial(Members)
  .extend({ id: z.int().nullable().default(null), params: toPartial(Params).optional() })
  .superRefine(wholeWithoutId(Members));
export type FieldInput = z.output<typeof FieldInput>;

export const CustomField = Members.extend({ id: z.int() });
export type CustomField = z.output<typeof CustomField>;

export function toCustomField({ account_id, responsible, ...row }: CustomFieldRow): CustomField {
  return { ...row, ...(row.type === "employee" && { params: { responsible } }) };
}
