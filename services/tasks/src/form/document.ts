import type { FileObject } from "#shared/contract/file/file-object.ts";
import type { Cell, Picture, TableDocument } from "#shared/contract/file/table-document.ts";
import { type Language, languageOf } from "#shared/text/language.ts";
import { type Clock, writeLocal } from "#shared/time/clock.ts";
import type { FormField, FormValue } from "../table/form/form-field.ts";
import type { PublicForm } from "./schema.ts";

type FormDocumentData = { form: PublicForm; files: Pick<FileObject, "id" | "name">[]; pictures: Picture[] };

/** A table with time and place of the submission, then a row for each field. */
export function toFormDocument(
  { form, files, pictures }: FormDocumentData,
  locale: string,
  { zone }: Pick<Clock, "zone">,
): TableDocument {
  const words = WORDS[languageOf(locale)];
  const names = new Map(files.map(({ id, name }) => [id, name]));
  const { submitted, submit_location } = form;
  const place = submit_location && (submit_location.address || `${submit_location.lat}, ${submit_location.lng}`);
  const rows: Cell[][] = [
    [words.submitted, submitted === null ? words.never : writeLocal(submitted, zone)],
    [words.place, place],
    ...form.fields.map((field) => [field.label, toCell(field, form.values?.[field.id], names)]),
  ];
  return {
    title: form.label,
    subtitle: form.description,
    columns: [
      { title: words.field, kind: "text" },
      { title: words.value, kind: "text" },
    ],
    groups: [{ heading: null, rows }],
    pictures,
  };
}

function toCell(field: FormField, value: FormValue | undefined, names: Map<number, string>): Cell {
  if (!value) return null;
  if ("values" in value) {
    const labels = field.type === "checkbox_group" ? field.group.map(({ label }) => label) : [];
    return labels.filter((_, index) => value.values[index]).join(", ");
  }
  if ("value_index" in value) return ("options" in field && field.options[value.value_index]?.label) || "";
  if ("value" in value) return value.value;
  const ids = "file_ids" in value ? value.file_ids : [value.file_id];
  return ids.map((id) => names.get(id) ?? "").join(", ");
}

const WORDS = {
  en: { field: "Field", value: "Value", submitted: "Submitted", never: "not yet", place: "Place" },
  de: { field: "Feld", value: "Wert", submitted: "Eingereicht", never: "noch nicht", place: "Ort" },
} satisfies Record<Language, object>;
