import { type CellObject, read, SSF, type WorkSheet } from "@e965/xlsx";
import { requireFewCells, requireNarrow, tooLarge } from "../cell/limits.ts";
import { isPadded, textOfDate } from "../cell/text.ts";
import { repacked } from "./archive.ts";
import { rowsOfXlsStream } from "./xls/rows.ts";

/** What the first sheet of an .xlsx holds, row after row; at most so many rows. */
export function rowsOfXlsx(bytes: Uint8Array, limit: number): string[][] {
  return rowsOf(repacked(bytes), limit);
}

/** The same of an .xls. */
export function rowsOfXls(bytes: Uint8Array, limit: number): string[][] {
  if (bytes.byteLength > XLS_BYTES) throw tooLarge(`${XLS_BYTES / MEBIBYTE} MB as .xls`);
  return rowsOfXlsStream(bytes, limit);
}

function rowsOf(bytes: Uint8Array, sheetRows: number): string[][] {
  const { SheetNames, Sheets } = read(bufferOf(bytes), {
    type: "buffer",
    sheets: 0,
    sheetRows,
    dense: true,
    cellDates: true,
    UTC: true,
    cellNF: true,
    cellText: false,
    cellFormula: false,
    cellHTML: false,
  });
  const first = Sheets[SheetNames[0] ?? ""];
  return first ? cellsOf(first) : [];
}

function bufferOf(bytes: Uint8Array) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function cellsOf(sheet: WorkSheet): string[][] {
  const rows: (CellObject | undefined)[][] = sheet["!data"] ?? [];
  let count = 0;
  // Rows and cells that the file does not name are holes.
  return Array.from(rows, (row = []) => {
    const width = row.findLastIndex((cell) => cell !== undefined) + 1;
    requireNarrow(width);
    count += row.filter((cell) => cell !== undefined).length;
    requireFewCells(count);
    return Array.from(row.slice(0, width), textOf);
  });
}

/** The value, not how the sheet shows it. */
function textOf(cell: CellObject | undefined): string {
  if (cell?.v === undefined || cell.v === null || cell.t === "e") return "";
  if (cell.v instanceof Date) return textOfDate(cell.v);
  if (cell.t === "n" && isPadded(cell.z)) return SSF.format(cell.z, cell.v);
  return String(cell.v);
}

/** Not packed, and read as a whole: an isolate has 128 MB. */
const MEBIBYTE = 1024 * 1024;
const XLS_BYTES = 4 * MEBIBYTE;
