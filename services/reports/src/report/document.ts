import { cellValue } from "../layout/cell-value.ts";
import type { Chart } from "../layout/chart.ts";
import type { Document, DocumentPart } from "../layout/document.ts";
import { type MapAddress, toLines } from "../layout/lines.ts";
import type { Sheet } from "../layout/sheet.ts";
import type { Writer } from "../layout/writer.ts";

type IllustratedSheet = { sheet: Sheet; charts: Chart[] };
type ReportContent = Pick<Document, "title" | "head"> & { sheets: AsyncIterable<IllustratedSheet> };

/** Converts a report to a document. */
export function toReportDocument(
  { title, head, sheets }: ReportContent,
  { writer, mapAddress }: { writer: Writer; mapAddress: MapAddress },
): Document {
  async function* parts() {
    for await (const illustrated of sheets) yield toDocumentPart(illustrated);
  }
  const { language } = writer;
  return { title, head, language, parts: parts(), cellValue: (cell) => cellValue(cell, writer), mapAddress };
}

/** Moves the sections out of the sheet, so that they can be released one by one. */
export function toDocumentPart({ sheet, charts }: IllustratedSheet): DocumentPart {
  const tables = sheet.sections.splice(0).map((section) => ({ lines: () => toLines(section) }));
  return { header: sheet.header, blocks: [...charts.map((chart) => ({ chart })), ...tables] };
}
