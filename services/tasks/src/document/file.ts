import type { TableDocument, TableFormat } from "#shared/contract/table-document.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { languageOf } from "#shared/text/language.ts";
import type { TasksEnv } from "../env.ts";

/** The table as a file, its numbers in the user's language. */
export async function fileOfTable(
  document: TableDocument,
  format: TableFormat,
  { env, principal }: Pick<Call<TasksEnv>, "env" | "principal">,
): Promise<Uint8Array> {
  const rendered = await env.REPORTS.render(document, format, languageOf(principal.locale), principal.account_id);
  if ("file" in rendered) return rendered.file;
  throw new ApiError(rendered.refused, "errors" in rendered ? { errors: rendered.errors } : {});
}
