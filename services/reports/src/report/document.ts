import { cellValue } from "../layout/cell-value.ts";
import type { Chart } from "../layout/chart.ts";
import type { Document, Part } from "../layout/document.ts";
import { linesOf, type MapAddress } from "../layout/lines.ts";
import type { Sheet } from "../layout/sheet.ts";
import type { Writer } from "../layout/writer.ts";

type Illustrated = { sheet: Sheet; charts: Chart[] };
type Source = Pick<Document, "title" | "head"> & { sheets: AsyncIterable<Illustrated> };

/** A report as what files are made of. */
export function reportDocument(
  { title, head, sheets }: Source,
  { writer, mapAddress }: { writer: Writer; mapAddress: MapAddress },
): Document {
  async function* parts() {
    for await (const illustrated of sheets) yield partOf(illustrated);
  }
  const { language } = writer;
  return { title, head, language, parts: parts(), cellValue: (cell) => cellValue(cell, writer), mapAddress };
}

/** The sheet gives its sections away: its part releases them one by one. */
export function partOf({ sheet, charts }: Illustrated): Part {
  const tables = sheet.sections.splice(0).map((section) => ({ lines: () => linesOf(section) }));
  return { header: sheet.header, blocks: [...charts.map((chart) => ({ chart })), ...tables] };
}
