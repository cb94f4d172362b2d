import * as z from "zod";
import { FileObject } from "#shared/contract/file/file-object.ts";
import type { AreasAround } from "#shared/contract/point/area.ts";
import { dateTime, text } from "#shared/operation/fields.ts";
import { foldText } from "#shared/text/fold.ts";
import type { AddressedPosition, FormRow } from "../table/form/form.ts";
import type { FormValues } from "../table/form/form-field.ts";
import { FormField } from "./fields.ts";

/** A position that a caller reports, with its address. */
export const NewPosition = z.object({
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  address: text(255).default(""),
});
export const StoredPosition = z.object({ lat: z.number(), lng: z.number(), address: z.string() });

const FormValue = z.union([
  z.object({ type: z.enum(["text", "date"]), value: z.string() }),
  z.object({ type: z.literal("checkbox_group"), values: z.array(z.boolean()) }),
  z.object({ type: z.enum(["dropdown", "radio_group"]), value_index: z.int() }),
  z.object({ type: z.literal("rating"), value: z.int() }),
  z.object({ type: z.enum(["file", "photo"]), file_ids: z.array(z.int()) }),
  z.object({ type: z.literal("file"), file_id: z.int() }),
]);

export const Form = z.object({
  id: z.int(),
  label: z.string(),
  description: z.string(),
  /** Copied from the template when the form was issued. */
  fields: z.array(FormField),
  created: dateTime(),
  submit_in_zone: z.boolean(),
  task_id: z.int().nullable(),
  checkin_id: z.int().nullable(),
  tracker_id: z.int().nullable(),
  /** Null after the template was deleted. */
  template_id: z.int().nullable(),
  template_version: z.int().nullable(),
  /** Values by field id; null until the form is submitted. */
  values: z.record(z.string(), FormValue).nullable(),
  /** Time of the last submission. */
  submitted: dateTime().nullable(),
  submit_location: StoredPosition.nullable(),
});
export type Form = z.output<typeof Form>;

/**
 * A form's row without the columns that callers never see. Its `template_id` is null after the template was deleted.
 */
export type PublicForm = Omit<
  FormRow,
  "account_id" | "revision" | "bytes" | "submit_areas" | "template_id" | `${string}_folded`
> & {
  template_id: number | null;
};

export function toForm({ values, ...row }: PublicForm): Form {
  // Stored values were checked by this schema when they were submitted.
  return { ...row, values: values as Form["values"] };
}

/** A file of a form. `submitted` is true once a submission references it. */
export const FormFile = FileObject.extend({
  bindings: z.object({
    form_field: z.object({ form_id: z.int(), field_id: z.string(), submitted: z.boolean() }),
  }),
  previews: z.null(),
});
export type FormFile = z.output<typeof FormFile>;

/** The columns that a submission changes. */
export type Submission = {
  values: FormValues;
  submitted: number;
  submit_location: AddressedPosition | null;
  submit_areas: AreasAround | null;
};

export function toSubmissionColumns({ values, submitted, submit_location, submit_areas }: Submission) {
  return {
    values,
    submitted,
    submit_location,
    submit_areas,
    submit_address_folded: submit_location && foldText(submit_location.address),
  };
}
