import { type CellObject, utils, type WorkBook, write } from "@e965/xlsx";
import {
  type Cell,
  type Group,
  MOST_PICTURES,
  type Picture,
  type TableDocument,
} from "#shared/contract/table-document.ts";
import { withPictures } from "./sheet-pictures.ts";

/** What of the document the format can show: XLS has no pictures. */
export function writeSheet(document: TableDocument, format: "xls" | "xlsx"): Uint8Array {
  const pictures = format === "xlsx" ? (document.pictures ?? []).slice(0, MOST_PICTURES) : [];
  const { book, rows } = bookOf(document, pictures);
  const bookType = format === "xls" ? "biff8" : "xlsx";
  const bytes = new Uint8Array(write(book, { type: "array", bookType, compression: true }));
  return pictures.length > 0 ? withPictures(bytes, pictures, rows - pictures.length) : bytes;
}

/** One sheet: title, line below it, the columns' titles, group after group, pictures' captions. Numbers are numbers, all else is text. */
function bookOf({ title, subtitle, columns, groups }: TableDocument, pictures: Picture[]) {
  const titles = columns.map((column) => column.title);
  const captions = pictures.length > 0 ? [[], ...pictures.map(({ caption }) => [caption])] : [];
  const rows: Cell[][] = [[title], [subtitle], [], titles, ...groups.flatMap(rowsOf), ...captions];
  const sheet = utils.aoa_to_sheet(rows.map((row) => row.map(toCell)));
  sheet["!cols"] = titles.map((name, index) => ({ wch: widthOf(name, groups, index) }));
  if (pictures.length > 0) {
    const first = rows.length - pictures.length;
    sheet["!rows"] = rows.map((_, index) => (index < first ? {} : { hpt: PICTURE_HEIGHT }));
  }
  const book: WorkBook = utils.book_new(sheet, nameOf(title));
  book.Props = { Title: title };
  return { book, rows: rows.length };
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

/** Points: of 200 pixels, and a little room. */
const PICTURE_HEIGHT = 154;
const WIDEST = 60;
/** What a cell can hold. */
const LONGEST_TEXT = 32_767;
