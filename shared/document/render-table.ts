import type { FileFormat, TableDocument } from "../contract/file/table-document.ts";
import type { TableRenderer } from "../contract/reports.ts";
import { ApiError } from "../error/api-error.ts";
import type { Call } from "../operation/declaration.ts";
import { languageOf } from "../text/language.ts";

/** Renders the table with numbers in the user's language; 267 when reports refuses it. */
export async function renderTable(
  document: TableDocument,
  format: FileFormat,
  { env, principal }: Pick<Call<{ REPORTS: TableRenderer }>, "env" | "principal">,
): Promise<Uint8Array> {
  const rendered = await env.REPORTS.render(document, format, languageOf(principal.locale));
  if ("file" in rendered) return rendered.file;
  throw new ApiError(rendered.refused, { errors: rendered.errors });
}
