import { type CellObject, utils, type WorkBook, write } from "@e965/xlsx";
import type { CellValue, Document, Part } from "../layout/document.ts";
import type { LineCell } from "../layout/lines.ts";
import { rowsOf, shapeOf, WIDEST } from "./rows.ts";
import { nameFor } from "./sheet-name.ts";

/** As XLS, which has no pictures: a sheet for each part, behind a title sheet. Numbers are numbers, all else is text. */
export async function writeBook({ head, title, parts, cellValue }: Document): Promise<Uint8Array> {
  const book: WorkBook = utils.book_new();
  const names = new Set<string>();
  const front = head && nameFor(title, names);
  const append = (name: string, rows: (CellObject | null)[][], widths: number[]) => {
    const sheet = utils.aoa_to_sheet(rows);
    sheet["!cols"] = widths.map((wch) => ({ wch }));
    utils.book_append_sheet(book, sheet, name);
  };
  const headers: string[] = [];
  const sheets: { name: string; rows: (CellObject | null)[][]; widths: number[] }[] = [];
  for await (const { header, blocks } of parts) {
    const part: Part = { header, blocks: blocks.filter((block) => !("pictures" in block)) };
    headers.push(header);
    const { widths } = shapeOf(part);
    const rows = [...rowsOf(part)].map(({ cells }) => cells.map((cell) => toCell(cell, cellValue(cell))));
    sheets.push({ name: nameFor(header, names), rows, widths });
  }
  if (head && front !== null) {
    const lines = [[head.title], [head.subtitle], [], ...headers.map((header) => [header])];
    append(
      front,
      lines.map((line) => line.map(toText)),
      [WIDEST],
    );
  }
  for (const { name, rows, widths } of sheets) append(name, rows, widths);
  // A book without a sheet does not open.
  if (book.SheetNames.length === 0) append(nameFor(title, names), [[toText(title)]], [WIDEST]);
  book.Props = { Title: title };
  return new Uint8Array(write(book, { type: "array", bookType: "biff8" }));
}

function toCell({ text }: LineCell, value: CellValue): CellObject | null {
  if (value === null) return null;
  return value.kind === "number" ? { t: "n", v: value.value } : toText(text);
}

/** Typed by us: what looks like a formula or a date stays the text that it is. */
function toText(v: string): CellObject {
  return { t: "s", v: v.slice(0, LONGEST_TEXT) };
}

/** What a cell can hold. */
const LONGEST_TEXT = 32_767;
