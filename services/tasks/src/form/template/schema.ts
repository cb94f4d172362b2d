import * as z from "zod";
import { changesOf } from "#shared/operation/changes.ts";
import { dateTime, printableText, text } from "#shared/operation/fields.ts";
import { foldText } from "#shared/text/fold.ts";
import type { FormTemplateRow } from "../../table/form/form-template.ts";
import { formFields } from "../fields.ts";

// Not strict: callers send back what `read` answered, read-only members included.
export const NewFormTemplate = z.object({
  label: printableText(1, 100),
  description: text(1024).nullable().default(null),
  fields: formFields(),
  /** True: forms can only be submitted within the circle of their task. */
  submit_in_zone: z.boolean().default(false),
  /** The template that clients preselect for new tasks; an account has at most one. */
  default: z.boolean(),
});
export type NewFormTemplate = z.output<typeof NewFormTemplate>;

/** Members that are left out stay. */
export const ChangedFormTemplate = changesOf(NewFormTemplate).extend({ id: z.int() });

export const FormTemplate = NewFormTemplate.extend({
  id: z.int(),
  /** Counts the changes. */
  version: z.int(),
  created: dateTime(),
  updated: dateTime(),
});
export type FormTemplate = z.output<typeof FormTemplate>;

export function toTemplate(row: FormTemplateRow): FormTemplate {
  const { account_id, revision, label_folded, description_folded, ...template } = row;
  return template;
}

/** The members that callers may set, as columns. */
export function toColumns(template: NewFormTemplate) {
  const { label, description } = template;
  return { ...template, label_folded: foldText(label), description_folded: foldText(description ?? "") };
}
