import { type CellObject, utils, type WorkBook, write } from "@e965/xlsx";
import type { Language } from "#shared/text/language.ts";
import { type LineCell, linesOf } from "../layout/lines.ts";
import { numberOf } from "./number.ts";
import type { ReportFile } from "./report-file.ts";
import { nameFor } from "./sheet-name.ts";

/** As XLS: a sheet for each thing, behind a title sheet. Numbers are numbers, all else is text. */
export function writeBook({ head, title, sheets }: ReportFile, language: Language): Uint8Array {
  const book: WorkBook = utils.book_new();
  const names = new Set<string>();
  const append = (name: string, rows: (CellObject | null)[][]) => {
    const sheet = utils.aoa_to_sheet(rows);
    sheet["!cols"] = widthsOf(rows);
    utils.book_append_sheet(book, sheet, nameFor(name, names));
  };
  if (head)
    append(title, [[text(head.title)], [text(head.subtitle)], [], ...sheets.map(({ header }) => [text(header)])]);
  for (const { header, sections } of sheets) {
    const lines = sections.flatMap((section) => [...linesOf(section), { cells: [] }]);
    append(header, [[text(header)], [], ...lines.map(({ cells }) => cells.map((cell) => toCell(cell, language)))]);
  }
  if (book.SheetNames.length === 0) append(title, [[text(title)]]);
  book.Props = { Title: title };
  return new Uint8Array(write(book, { type: "array", bookType: "biff8" }));
}

function toCell({ text: v, column }: LineCell, language: Language): CellObject {
  const number = column?.align === "right" ? numberOf(v, language) : undefined;
  return number === undefined ? text(v) : { t: "n", v: number };
}

/** Typed by us: what looks like a formula or a date stays the text that it is. */
function text(v: string): CellObject {
  return { t: "s", v: v.slice(0, LONGEST_TEXT) };
}

function widthsOf(rows: (CellObject | null)[][]) {
  const widths: number[] = [];
  for (const row of rows.slice(0, MEASURED)) {
    // A heading may be longer than its column.
    if (row.length < 2) continue;
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.min(WIDEST, Math.max(widths[index] ?? 8, String(cell?.v ?? "").length + 2));
    }
  }
  return widths.map((wch) => ({ wch }));
}

const WIDEST = 60;
const MEASURED = 1000;
/** What a cell can hold. */
const LONGEST_TEXT = 32_767;
