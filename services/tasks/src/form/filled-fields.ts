import type { FilledField } from "#shared/contract/report-source.ts";
import type { FormField, FormValue, FormValues } from "../table/form/form-field.ts";

/** The value of each field as text, in the form's order; for a field with files their number. */
export function toFilledFields(fields: FormField[], values: FormValues | null): FilledField[] {
  return fields
    .filter(({ type }) => type !== "separator")
    .map((field) => {
      const options = optionsOf(field);
      const chosen = chosenOf(values?.[field.id]);
      return { label: field.label, value: textOf(values?.[field.id], options, chosen), options, chosen };
    });
}

function optionsOf(field: FormField): string[] {
  if (field.type === "checkbox_group") return field.group.map(({ label }) => label);
  return "options" in field ? field.options.map(({ label }) => label) : [];
}

function chosenOf(value: FormValue | undefined): number[] {
  if (!value) return [];
  if ("values" in value) return value.values.flatMap((isChecked, index) => (isChecked ? index : []));
  return "value_index" in value ? [value.value_index] : [];
}

function textOf(value: FormValue | undefined, options: string[], chosen: number[]): string {
  if (!value) return "";
  if ("file_ids" in value) return String(value.file_ids.length);
  if ("file_id" in value) return "1";
  if ("value" in value) return String(value.value);
  return chosen.map((index) => options[index] ?? "").join(", ");
}
