import { type Clock, writeLocal } from "#shared/time/clock.ts";
import { type FormFileRow, toFilesById } from "./queries.ts";
import type { PublicForm } from "./schema.ts";
import { collectFileIds, type FormEntries, mergeValues } from "./values.ts";

type FormWithFiles = { form: Pick<PublicForm, "fields" | "values">; files: FormFileRow[] };

/** What the form is filled in with from then on, and the files that this names; 242 for what is wrong. */
export function fillInForm(given: FormEntries, { form, files }: FormWithFiles, clock: Pick<Clock, "now" | "zone">) {
  const today = writeLocal(clock.now(), clock.zone).slice(0, 10);
  const values = mergeValues(given, form.values ?? {}, { fields: form.fields, files: toFilesById(files), today });
  return { values, fileIds: collectFileIds(values) };
}
