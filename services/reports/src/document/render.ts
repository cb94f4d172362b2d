import { Buffer } from "node:buffer";
import { type FileFormat, MAX_ROWS, type TableDocument } from "#shared/contract/file/table-document.ts";
import type { Language } from "#shared/text/language.ts";
import { renderPieces } from "../format/pieces.ts";
import type { FontReader } from "../pdf/fonts.ts";
import { tableLines, toDocument } from "./table-document.ts";

/**
 * The document as a file; `language` formats its numbers. A CSV contains only the table, because programs read its
 * first line as titles.
 */
export async function renderTable(
  document: TableDocument,
  format: FileFormat,
  { language, read }: { language: Language; read: FontReader },
): Promise<Uint8Array> {
  const rows = document.groups.reduce((sum, group) => sum + group.rows.length, 0);
  if (rows > MAX_ROWS) throw new Error(`a document of ${rows} rows was asked for`);
  if (format === "csv") {
    const { writeCsvLines } = await import("../file/csv.ts");
    return writeCsvLines(tableLines(document, String));
  }
  const pieces: Uint8Array[] = [];
  const stream = await renderPieces(toDocument(document, language), format, { read, headers: [] });
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}
