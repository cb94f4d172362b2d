import { type Cell, type Column, MAX_PICTURES, type TableDocument } from "#shared/contract/file/table-document.ts";
import type { Language } from "#shared/text/language.ts";
import type { Block, CellValue, Document } from "../layout/document.ts";
import type { Line, LineCell } from "../layout/lines.ts";
import { toColumn as shownColumn } from "../layout/writer.ts";

/** Converts the table of another service to a document; `language` formats its numbers. */
export function toDocument(table: TableDocument, language: Language): Document {
  const { title, subtitle, pictures = [] } = table;
  const lines: Line[] = [{ kind: "values", cells: [{ text: subtitle }] }];
  const { format } = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const blocks: Block[] = [{ lines: () => lines }, { lines: () => tableLines(table, format) }];
  if (pictures.length > 0) blocks.push({ pictures: pictures.slice(0, MAX_PICTURES) });
  async function* parts() {
    yield { header: title, blocks };
  }
  return { title, language, head: null, parts: parts(), cellValue, mapAddress: () => "" };
}

/** The titles of the columns once, then the groups one after the other. */
export function* tableLines({ columns, groups }: TableDocument, write: Write): Generator<Line> {
  const shown = columns.map(({ title, kind }, index) => shownColumn(`${index}`, title, { isText: kind !== "number" }));
  const cellsOf = (row: Cell[]) =>
    row.map((cell, index): LineCell => ({ ...cellOf(cell, write), ...(shown[index] && { column: shown[index] }) }));
  yield { kind: "titles", cells: cellsOf(columns.map(titleOf)) };
  for (const { heading, rows, total } of groups) {
    if (heading !== null) yield { kind: "heading", cells: [{ text: heading }] };
    for (const row of rows) yield { kind: "values", cells: cellsOf(row) };
    if (total) yield { kind: "total", cells: cellsOf(total) };
  }
}

function titleOf({ title }: Column) {
  return title;
}

type Write = (number: number) => string;

function cellOf(cell: Cell, write: Write): LineCell {
  if (cell === null) return { text: "", isBlank: true };
  return typeof cell === "number" ? { text: write(cell), raw: cell } : { text: cell };
}

/** Only numbers are numeric cells; text stays text, whatever it looks like. */
function cellValue({ text, raw, isBlank }: LineCell): CellValue {
  if (isBlank) return null;
  return raw === undefined ? { kind: "text", text } : { kind: "number", value: raw };
}
