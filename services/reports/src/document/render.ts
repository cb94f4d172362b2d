import { MOST_ROWS, type TableDocument, type TableFormat } from "#shared/contract/table-document.ts";
import type { Language } from "#shared/text/language.ts";
import { writePdf } from "./pdf.ts";
import { writeSheet } from "./sheet.ts";

/** The file; the language is of the numbers in it. */
export async function renderTable(
  document: TableDocument,
  format: TableFormat,
  language: Language,
): Promise<Uint8Array> {
  const rows = document.groups.reduce((sum, group) => sum + group.rows.length, 0);
  if (rows > MOST_ROWS) throw new Error(`a document of ${rows} rows was asked for`);
  return format === "pdf" ? writePdf(document, language) : writeSheet(document, format);
}
