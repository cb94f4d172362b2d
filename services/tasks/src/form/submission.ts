import type { Principal } from "#shared/caller/principal.ts";
import type { FileStore } from "#shared/contract/files.ts";
import { type Clock, writeLocal } from "#shared/time/clock.ts";
import { type FormFileRow, knownFiles } from "./queries.ts";
import type { ShownForm } from "./schema.ts";
import { type FormEntries, filesNamed, filledIn } from "./values.ts";

/** The files that given values name, as files knows them, without links; whose they are is for the form to say. */
export async function filesGiven(
  env: { FILES: FileStore },
  { account_id }: Pick<Principal, "account_id">,
  given: FormEntries,
) {
  const ids = filesNamed(given);
  return ids.length === 0 ? [] : env.FILES.filesOf({ account_id, ids, base_url: null });
}

type Filling = {
  form: Pick<ShownForm, "fields" | "values">;
  files: FormFileRow[];
  shown: Awaited<ReturnType<typeof filesGiven>>;
};

/** What the form is filled in with from then on, and the files that this names; 242 for what is wrong. */
export function fillIn(given: FormEntries, { form, files, shown }: Filling, clock: Pick<Clock, "now" | "zone">) {
  const today = writeLocal(clock.now(), clock.zone).slice(0, 10);
  const values = filledIn(given, form.values ?? {}, { fields: form.fields, files: knownFiles(files, shown), today });
  return { values, named: filesNamed(values) };
}
