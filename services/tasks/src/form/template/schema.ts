import { z } from "zod";
import { changesOf } from "#shared/operation/changes.ts";
import { dateTime, printableText, text } from "#shared/operation/fields.ts";
import { foldText } from "#shared/text/fold.ts";
import type { FormTemplateRow } from "../../table/form/form-template.ts";
import { formFields } from "../fields.ts";

// Not strict: callers send back what `read` gave them, read-only members included.
export const NewFormTemplate = z.object({
  label: printableText(1, 100),
  description: text(1024).nullable().default(null),
  fields: formFields(),
  /** Whether forms are submitted within the zone of their task alone. */
  submit_in_zone: z.boolean().default(false),
  /** Which one clients choose for new tasks: then no other is. */
  default: z.boolean(),
});
export type NewFormTemplate = z.output<typeof NewFormTemplate>;

/** What is left out stays. */
export const ChangedFormTemplate = changesOf(NewFormTemplate).extend({ id: z.int() });

export const FormTemplate = NewFormTemplate.extend({
  id: z.int(),
  /** One more with each change. */
  version: z.int(),
  created: dateTime(),
  updated: dateTime(),
});
export type FormTemplate = z.output<typeof FormTemplate>;

export function toTemplate(row: FormTemplateRow): FormTemplate {
  const { account_id, revision, label_folded, description_folded, ...template } = row;
  return template;
}

/** What callers may set, as columns. */
export function toColumns(template: NewFormTemplate) {
  const { label, description } = template;
  return { ...template, label_folded: foldText(label), description_folded: foldText(description ?? "") };
}
