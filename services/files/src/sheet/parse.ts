import { ApiError, isApiError } from "#shared/error/api-error.ts";
import { tooLargeFileError } from "#shared/error/too-large-file.ts";
import type { FilePart } from "#shared/operation/declaration.ts";
import { parseCsv } from "./csv.ts";
import { parseXls, parseXlsx } from "./workbook.ts";

/** The rows of a spreadsheet as texts, from the first filled row to the last, at most `limit`. */
export function parseSheet({ name, bytes }: FilePart, limit: number): string[][] {
  if (bytes.byteLength > MAX_FILE_BYTES) throw tooLargeFileError("16 MB");
  const parsed = parseByContent(name, bytes, limit);
  // A workbook stores a text once for any number of cells, so the sum can be far larger than the file.
  if (countCharacters(parsed) > MAX_CHARACTERS) throw tooLargeFileError(`${MAX_CHARACTERS} characters in its cells`);
  const rows = parsed.map((row) => row.map(toOneLine));
  const [first, last] = [rows.findIndex(isFilled), rows.findLastIndex(isFilled)];
  if (first < 0) throw new ApiError(234);
  return rows.slice(first, last + 1);
}

/** The rows as tab-separated text, one row per line. */
export function toTabSeparated(rows: string[][]): string {
  const lines = rows.map((row) => row.join("\t"));
  if (lines.some(({ length }) => length > MAX_LINE_CHARS))
    throw tooLargeFileError(`${MAX_LINE_CHARS} characters in a row`);
  const text = lines.join("\n");
  if (text.length > MAX_TEXT_CHARS) throw tooLargeFileError(`${MAX_TEXT_CHARS} characters in the rows that are kept`);
  return text;
}

/** Parses a file by its signature, because file names may be wrong. */
function parseByContent(name: string, bytes: Uint8Array, limit: number): string[][] {
  try {
    if (beginsWith(bytes, ZIP)) return parseXlsx(bytes, limit);
    if (beginsWith(bytes, COMPOUND)) return parseXls(bytes, limit);
    // Some programs write HTML into files with these endings.
    if (/\.xlsx?$/i.test(name)) throw new ApiError(234);
    return parseCsv(bytes, limit);
  } catch (thrown) {
    throw isApiError(thrown) ? thrown : new ApiError(234, {}, { cause: thrown });
  }
}

function beginsWith(bytes: Uint8Array, signature: number[]) {
  return signature.every((byte, index) => bytes[index] === byte);
}

function countCharacters(rows: string[][]) {
  return rows.reduce((sum, row) => row.reduce((all, { length }) => all + length, sum), 0);
}

function isFilled(row: string[]) {
  return row.some((cell) => cell !== "");
}

/** Makes a cell one line without tabs. */
function toOneLine(cell: string) {
  // The test is cheap, and most cells need no replacement.
  const line = OTHER_SPACE.test(cell) ? cell.replace(/[\s\0]+/g, " ") : cell;
  return line.toWellFormed().trim();
}

const OTHER_SPACE = /[^\S ]|\0| {2}/;
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** The number of characters of the largest text file. */
const MAX_CHARACTERS = MAX_FILE_BYTES;
/** Readers hold the whole text in memory, several times. */
const MAX_TEXT_CHARS = 8 * 1024 * 1024;
const MAX_LINE_CHARS = 20_000;
