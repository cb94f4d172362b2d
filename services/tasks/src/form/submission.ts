import { type Clock, writeLocal } from "#shared/time/clock.ts";
import { type FormFileRow, toFilesById } from "./queries.ts";
import type { PublicForm } from "./schema.ts";
import { collectFileIds, type FormEntries, mergeValues } from "./values.ts";

type FormWithFiles = { form: Pick<PublicForm, "fields" | "values">; files: FormFileRow[] };

/**
 * Merges the given values into the form's values; answers them with the ids of the files that they reference. Throws
 * 242 with every wrong field.
 */
export function fillInForm(given: FormEntries, { form, files }: FormWithFiles, clock: Pick<Clock, "now" | "zone">) {
  const today = writeLocal(clock.now(), clock.zone).slice(0, 10);
  const values = mergeValues(given, form.values ?? {}, { fields: form.fields, files: toFilesById(files), today });
  return { values, fileIds: collectFileIds(values) };
}
