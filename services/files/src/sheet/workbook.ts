import { type CellObject, CFB, read, type WorkSheet } from "@e965/xlsx";
import { ApiError } from "#shared/error/api-error.ts";
import { repacked } from "./archive.ts";
import { requireFewCells, requireNarrow, tooLarge } from "./limits.ts";

/** What the first sheet of an .xlsx holds, row after row; at most so many rows. */
export function rowsOfXlsx(bytes: Uint8Array, limit: number): string[][] {
  return rowsOf(repacked(bytes), limit);
}

/** The same of an .xls. */
export function rowsOfXls(bytes: Uint8Array, limit: number): string[][] {
  if (bytes.byteLength > XLS_BYTES) throw tooLarge(`${XLS_BYTES / MEBIBYTE} MB as .xls`);
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
 * The library reads on behind the end of a record that is cut off, and by what it finds there it may never stop. So the
 * method that it gives to its buffers is one that stops it. It works in one go: nobody else sees the prototype changed.
 */
function withinEnds<Result>(act: () => Result): Result {
  Object.defineProperty(Buffer.prototype, READS, {
    configurable: true,
    set(this: Cursor, readShift: ReadShift) {
      Object.defineProperty(this, READS, {
        configurable: true,
        writable: true,
        value(this: Cursor, ...how: unknown[]) {
          const found = readShift.apply(this, how);
          if (this.l > this.length) throw new ApiError(234);
          return found;
        },
      });
    },
  });
  try {
    return act();
  } finally {
    Reflect.deleteProperty(Buffer.prototype, READS);
  }
}

/** A buffer of the library's; `l` is where it reads next. */
type Cursor = Buffer & { l: number };
type ReadShift = (this: Cursor, ...how: unknown[]) => unknown;

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

const READS = "read_shift";
/** The record with which a workbook begins; those of older sheets alone have another second byte. */
const [BEGIN, BEGIN_OF_WORKBOOK] = [0x09, 0x08];
/** Times without a day count from here. */
const FIRST_DAY = Date.UTC(1900, 0, 1);
/** Not packed, and read as a whole: an isolate has 128 MB. */
const MEBIBYTE = 1024 * 1024;
const XLS_BYTES = 4 * MEBIBYTE;
