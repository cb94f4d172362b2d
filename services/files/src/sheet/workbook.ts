import { type CellObject, read, SSF, type WorkSheet } from "@e965/xlsx";
import { tooLargeFileError } from "#shared/error/too-large-file.ts";
import { requireCellLimit, requireColumnLimit } from "../cell/limits.ts";
import { isZeroPadded, textOfDate } from "../cell/text.ts";
import { repackWorkbook } from "./archive.ts";
import { parseXlsStream } from "./xls/rows.ts";

/** The first `limit` rows of the first sheet of an .xlsx. */
export function parseXlsx(bytes: Uint8Array, limit: number): string[][] {
  return parseWorkbook(repackWorkbook(bytes), limit);
}

/** The first `limit` rows of the first sheet of an .xls. */
export function parseXls(bytes: Uint8Array, limit: number): string[][] {
  if (bytes.byteLength > MAX_XLS_BYTES) throw tooLargeFileError(`${MAX_XLS_BYTES / MEBIBYTE} MB as .xls`);
  return parseXlsStream(bytes, limit);
}

function parseWorkbook(bytes: Uint8Array, sheetRows: number): string[][] {
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
  // Rows and cells that the file leaves out are holes in the arrays.
  return Array.from(rows, (row = []) => {
    const width = row.findLastIndex((cell) => cell !== undefined) + 1;
    requireColumnLimit(width);
    count += row.filter((cell) => cell !== undefined).length;
    requireCellLimit(count);
    return Array.from(row.slice(0, width), textOf);
  });
}

/** The text of a cell's value, regardless of its format, except leading zeros and dates. */
function textOf(cell: CellObject | undefined): string {
  if (cell?.v === undefined || cell.v === null || cell.t === "e") return "";
  if (cell.v instanceof Date) return textOfDate(cell.v);
  if (cell.t === "n" && isZeroPadded(cell.z)) return SSF.format(cell.z, cell.v);
  return String(cell.v);
}

/** An .xls is not compressed and is read as a whole, in an isolate of 128 MB. */
const MEBIBYTE = 1024 * 1024;
const MAX_XLS_BYTES = 4 * MEBIBYTE;
