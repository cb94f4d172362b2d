import type { FileSearch } from "#shared/contract/file-ticket.ts";
import type { FileStore } from "#shared/contract/files.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { takesFiles } from "./fields.ts";
import type { FormFileRow } from "./queries.ts";
import type { FormFile, ShownForm } from "./schema.ts";

/** The files of forms as they are shown, with what they are for. */
export async function shownFiles(
  env: { FILES: FileStore },
  rows: FormFileRow[],
  of: Omit<FileSearch, "ids">,
): Promise<FormFile[]> {
  if (rows.length === 0) return [];
  const known = new Map(rows.map((row) => [row.id, row]));
  const files = await env.FILES.filesOf({ ...of, ids: [...known.keys()] });
  return files.flatMap((file) => {
    const row = known.get(file.id);
    if (!row) return [];
    const { form_id, field_id, is_submitted: submitted } = row;
    return [{ ...file, bindings: { form_field: { form_id, field_id, submitted } }, previews: null }];
  });
}

/** The id of the form: 201 where there is none or no such field in it, 231 where the field takes no files. */
export function requireFileField(form: Pick<ShownForm, "id" | "fields"> | null, field_id: string): number {
  const field = form?.fields.find(({ id }) => id === field_id);
  if (!form || !field) throw new ApiError(201);
  if (!takesFiles(field)) throw new ApiError(231);
  return form.id;
}
