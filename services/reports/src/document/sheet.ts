import { type CellObject, utils, type WorkBook, write } from "@e965/xlsx";
import type { Cell, Group, TableDocument } from "#shared/contract/table-document.ts";

/** One sheet: title, line below it, the columns' titles, then group after group. Numbers are numbers, all else is text. */
export function writeSheet(document: TableDocument, format: "xls" | "xlsx"): Uint8Array {
  const { title, subtitle, columns, groups } = document;
  const titles = columns.map((column) => column.title);
  const rows = [[title], [subtitle], [], titles, ...groups.flatMap(rowsOf)];
  const sheet = utils.aoa_to_sheet(rows.map((row) => row.map(toCell)));
  sheet["!cols"] = titles.map((name, index) => ({ wch: widthOf(name, groups, index) }));
  const book: WorkBook = utils.book_new(sheet, nameOf(title));
  book.Props = { Title: title };
  return new Uint8Array(
    write(book, { type: "array", bookType: format === "xls" ? "biff8" : "xlsx", compression: true }),
  );
}

function rowsOf({ heading, rows, total }: Group): Cell[][] {
  return [...(heading === null ? [] : [[heading]]), ...rows, ...(total ? [total] : [])];
}

/** Typed by us: what looks like a formula or a date stays the text that it is. */
function toCell(value: Cell): CellObject | null {
  if (value === null) return null;
  return typeof value === "number" ? { t: "n", v: value } : { t: "s", v: value.slice(0, LONGEST_TEXT) };
}

function widthOf(title: string, groups: Group[], index: number) {
  const lengths = groups.flatMap(({ rows }) => rows.map((row) => String(row[index] ?? "").length));
  return Math.min(lengths.reduce((most, length) => Math.max(most, length), title.length) + 2, WIDEST);
}

/** As the format lets sheets be named. */
function nameOf(title: string) {
  return (
    title
      .replace(/[[\]:*?/\\]/g, " ")
      .slice(0, 31)
      .replace(/^'|'$/g, "") || "1"
  );
}

const WIDEST = 60;
/** What a cell can hold. */
const LONGEST_TEXT = 32_767;
