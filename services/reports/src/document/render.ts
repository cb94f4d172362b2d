import { Buffer } from "node:buffer";
import { MOST_ROWS, type TableDocument, type TableFormat } from "#shared/contract/table-document.ts";
import type { Language } from "#shared/text/language.ts";
import type { FontReader } from "../pdf/fonts.ts";

/** The file; the language is of the numbers in it. */
export async function renderTable(
  document: TableDocument,
  format: TableFormat,
  { language, read }: { language: Language; read: FontReader },
): Promise<Uint8Array> {
  const rows = document.groups.reduce((sum, group) => sum + group.rows.length, 0);
  if (rows > MOST_ROWS) throw new Error(`a document of ${rows} rows was asked for`);
  // Libraries that most calls do not need.
  if (format !== "pdf") return (await import("./sheet.ts")).writeSheet(document, format);
  const { writePdf } = await import("./pdf.ts");
  const pieces: Uint8Array[] = [];
  for await (const piece of writePdf(document, language, read)) pieces.push(piece);
  return Buffer.concat(pieces);
}
