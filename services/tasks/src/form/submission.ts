import { type Clock, writeLocal } from "#shared/time/clock.ts";
import { type FormFileRow, knownFiles } from "./queries.ts";
import type { ShownForm } from "./schema.ts";
import { type FormEntries, filesNamed, filledIn } from "./values.ts";

type Filling = { form: Pick<ShownForm, "fields" | "values">; files: FormFileRow[] };

/** What the form is filled in with from then on, and the files that this names; 242 for what is wrong. */
export function fillIn(given: FormEntries, { form, files }: Filling, clock: Pick<Clock, "now" | "zone">) {
  const today = writeLocal(clock.now(), clock.zone).slice(0, 10);
  const values = filledIn(given, form.values ?? {}, { fields: form.fields, files: knownFiles(files), today });
  return { values, named: filesNamed(values) };
}
