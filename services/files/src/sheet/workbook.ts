import { type CellObject, CFB, read, type WorkSheet } from "@e965/xlsx";
import { ApiError } from "#shared/api-error.ts";
import { repacked } from "./archive.ts";

/** What the first sheet of an .xlsx holds, row after row; at most so many rows. */
export function rowsOfXlsx(bytes: Uint8Array, limit: number): string[][] {
  return rowsOf(repacked(bytes), limit);
}

/** The same of an .xls. */
export function rowsOfXls(bytes: Uint8Array, limit: number): string[][] {
  if (bytes.byteLength > XLS_BYTES) throw new ApiError(9);
  const folder = CFB.read(bufferOf(bytes), { type: "buffer" });
  // Without what stands beside it: properties that are cut off keep the library busy for ever.
  const stream: { content?: Uint8Array } | null = CFB.find(folder, "/Workbook") ?? CFB.find(folder, "/Book");
  const [first, second] = stream?.content ?? [];
  if (!stream?.content || first !== BEGIN || second !== BEGIN_OF_WORKBOOK) throw new ApiError(234);
  return rowsOf(Uint8Array.from(stream.content), limit);
}

function rowsOf(bytes: Uint8Array, sheetRows: number): string[][] {
  const { SheetNames, Sheets } = withinEnds(() =>
    read(bufferOf(bytes), {
      type: "buffer",
      sheets: 0,
      sheetRows,
      dense: true,
      cellDates: true,
      UTC: true,
      cellNF: true,
      cellFormula: false,
      cellHTML: false,
    }),
  );
  const first = Sheets[SheetNames[0] ?? ""];
  return first ? cellsOf(first) : [];
}

/**
 * In a record that is cut off, the library takes the bytes behind the end for characters, and never stops: where it asks
 * for the character of no byte, it is stopped. It reads in one go, so that nobody else sees the function changed.
 */
function withinEnds<Result>(act: () => Result): Result {
  const { fromCharCode } = String;
  String.fromCharCode = (...codes) => {
    if (codes[0] === undefined) throw new ApiError(234);
    return fromCharCode(...codes);
  };
  try {
    return act();
  } finally {
    String.fromCharCode = fromCharCode;
  }
}

function bufferOf(bytes: Uint8Array) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function cellsOf(sheet: WorkSheet): string[][] {
  const rows: (CellObject | undefined)[][] = sheet["!data"] ?? [];
  // Rows and cells that the file does not name are holes.
  return Array.from(rows, (row = []) => Array.from(row.slice(0, COLUMNS), textOf));
}

/** The value, not how the sheet shows it: a phone number is all of its digits, a day is a date as the API writes it. */
function textOf(cell: CellObject | undefined): string {
  if (cell?.v === undefined || cell.v === null || cell.t === "e") return "";
  if (cell.v instanceof Date) return dateOf(cell.v);
  // Formats like 00000 are how sheets keep the zeros in front of a number.
  if (cell.t === "n" && cell.w && /^0{2,}$/.test(String(cell.z))) return cell.w;
  return String(cell.v);
}

function dateOf(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  const [day = "", time = ""] = date.toISOString().slice(0, 19).split("T");
  if (date.getTime() < FIRST_DAY) return time;
  return time === "00:00:00" ? day : `${day} ${time}`;
}

/** As many as an .xls has; nothing that is imported has so many. */
const COLUMNS = 256;
/** The record with which a workbook begins; those of older sheets alone have another second byte. */
const [BEGIN, BEGIN_OF_WORKBOOK] = [0x09, 0x08];
/** Times without a day count from here. */
const FIRST_DAY = Date.UTC(1900, 0, 1);
/** Not packed, and read as a whole: an isolate has 128 MB. */
const XLS_BYTES = 4 * 1024 * 1024;
