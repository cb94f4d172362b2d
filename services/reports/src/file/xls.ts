import { type CellObject, utils, type WorkBook, write } from "@e965/xlsx";
import type { CellValue, Document, DocumentPart } from "../layout/document.ts";
import type { LineCell } from "../layout/lines.ts";
import { MAX_COLUMN_WIDTH, measureSheet, toSheetRows } from "./rows.ts";
import { toSheetName } from "./sheet-name.ts";

/** Writes an XLS, without pictures: a title sheet and a sheet for each part. Only numbers are numeric cells. */
export async function writeXls({ head, title, parts, cellValue }: Document): Promise<Uint8Array> {
  const workbook: WorkBook = utils.book_new();
  const names = new Set<string>();
  const front = head && toSheetName(title, names);
  const append = (name: string, rows: (CellObject | null)[][], widths: number[]) => {
    const sheet = utils.aoa_to_sheet(rows);
    sheet["!cols"] = widths.map((wch) => ({ wch }));
    utils.book_append_sheet(workbook, sheet, name);
  };
  const headers: string[] = [];
  const sheets: { name: string; rows: (CellObject | null)[][]; widths: number[] }[] = [];
  for await (const { header, blocks } of parts) {
    const part: DocumentPart = { header, blocks: blocks.filter((block) => !("pictures" in block)) };
    headers.push(header);
    const { widths } = measureSheet(part);
    const rows = [...toSheetRows(part)].map(({ cells }) => cells.map((cell) => toCell(cell, cellValue(cell))));
    sheets.push({ name: toSheetName(header, names), rows, widths });
  }
  if (head && front !== null) {
    const lines = [[head.title], [head.subtitle], [], ...headers.map((header) => [header])];
    append(
      front,
      lines.map((line) => line.map(toText)),
      [MAX_COLUMN_WIDTH],
    );
  }
  for (const { name, rows, widths } of sheets) append(name, rows, widths);
  // A workbook needs at least one sheet.
  if (workbook.SheetNames.length === 0) append(toSheetName(title, names), [[toText(title)]], [MAX_COLUMN_WIDTH]);
  workbook.Props = { Title: title };
  return new Uint8Array(write(workbook, { type: "array", bookType: "biff8" }));
}

function toCell({ text }: LineCell, value: CellValue): CellObject | null {
  if (value === null) return null;
  return value.kind === "number" ? { t: "n", v: value.value } : toText(text);
}

/** An explicit text cell: what looks like a formula or a date stays text. */
function toText(v: string): CellObject {
  return { t: "s", v: v.slice(0, MAX_CELL_CHARACTERS) };
}

/** The longest text of a cell. */
const MAX_CELL_CHARACTERS = 32_767;
