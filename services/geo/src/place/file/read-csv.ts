import { type Cells, cellsOf } from "#shared/batch/cells.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { tooLargeFileError } from "#shared/error/too-large-file.ts";
import { decodeTextFile } from "#shared/table-text/decode.ts";
import { rowsOfText } from "#shared/table-text/separated.ts";

const COLUMNS = ["label", "address", "lat", "lng", "radius", "external_id", "description"] as const;
type Column = (typeof COLUMNS)[number] | "undefined";
export type Line = Cells<Column>;

/** Rows below the header, without blank ones. Throws if there are more than `limit`. */
export function parseCsv(bytes: Uint8Array, limit: number): Line[] {
  if (bytes.byteLength > MAX_BYTES) throw tooLargeFileError(`${MAX_BYTES} bytes`);
  const rows = rowsOfText(decodeTextFile(bytes), ";", { rows: Number.POSITIVE_INFINITY, check: requireFewCells });
  const [header = [], ...filled] = rows.filter((row) => row.some((cell) => cell.trim() !== ""));
  if (filled.length > limit) throw tooLargeFileError(`${limit} rows`);
  const columns = toColumnNames(header);
  return filled.map((row) => cellsOf(row, columns));
}

/** The names of the columns in any order; all must be there, unknown ones are ignored. */
function toColumnNames(header: string[]): Column[] {
  const columns = header.map((title) => COLUMNS.find((name) => name === title.trim().toLowerCase()) ?? "undefined");
  if (COLUMNS.every((name) => columns.includes(name))) return columns;
  const error = `must begin with the header ${COLUMNS.join(";")}`;
  throw new ApiError(234, { errors: [{ parameter: "file", error }] });
}

function requireFewCells(_: number, cells: number) {
  if (cells > MAX_CELLS) throw tooLargeFileError(`${MAX_CELLS} cells`);
}

/** All places are written in one transaction and are in memory several times until then. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_CELLS = 400_000;
