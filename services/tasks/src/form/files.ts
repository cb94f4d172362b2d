import type { Principal } from "#shared/caller/principal.ts";
import type { FileSearch } from "#shared/contract/file/file-ticket.ts";
import { MAX_PICTURES, type Picture } from "#shared/contract/file/table-document.ts";
import type { FileStore } from "#shared/contract/files.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { takesFiles } from "./fields.ts";
import type { FormFileRow } from "./queries.ts";
import type { FormFile, PublicForm } from "./schema.ts";
import { collectFileIds } from "./values.ts";

/** Files of forms as the public API shows them, each with its form and field. */
export async function readFormFiles(
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

/** The files that a document of the form names and, for PDF, previews of its pictures. */
export async function readDocumentFiles(
  { FILES }: { FILES: FileStore },
  { form, files }: { form: PublicForm; files: FormFileRow[] },
  { account_id }: Pick<Principal, "account_id">,
  format: string,
) {
  const captions = captionsOf(form);
  const ids = files.map(({ id }) => id);
  const pictured = format === "pdf" ? [...captions.keys()].slice(0, MAX_PICTURES) : [];
  const [known, previews] = await Promise.all([
    ids.length > 0 ? FILES.filesOf({ account_id, ids, base_url: null }) : [],
    pictured.length > 0 ? FILES.previewsOf({ account_id, ids: pictured, side: 800 }) : [],
  ]);
  const pictures = previews.map(({ id, jpeg }): Picture => ({ caption: captions.get(id) ?? "", jpeg }));
  return { files: known, pictures };
}

/** Labels of the fields by the ids of the files that their values reference, in the order of the fields. */
function captionsOf({ fields, values }: Pick<PublicForm, "fields" | "values">): Map<number, string> {
  return new Map(
    fields.flatMap(({ id, label }) => {
      const value = values?.[id];
      return value ? collectFileIds({ [id]: value }).map((file_id) => [file_id, label] as const) : [];
    }),
  );
}

/** The id of the form. Throws 201 without a form or such a field, 231 when the field takes no files. */
export function requireFileField(form: Pick<PublicForm, "id" | "fields"> | null, field_id: string): number {
  const field = form?.fields.find(({ id }) => id === field_id);
  if (!form || !field) throw new ApiError(201);
  if (!takesFiles(field)) throw new ApiError(231);
  return form.id;
}
