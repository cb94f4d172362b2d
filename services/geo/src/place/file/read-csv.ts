import { type Cells, cellsOf } from "#shared/batch/cells.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { decodeTextFile } from "#shared/table-text/decode.ts";
import { rowsOfText } from "#shared/table-text/separated.ts";

const COLUMNS = ["label", "address", "lat", "lng", "radius", "external_id", "description"] as const;
type Column = (typeof COLUMNS)[number] | "undefined";
export type Line = Cells<Column>;

/** The lines below the header, blank ones left out; at most so many. */
export function parseCsv(bytes: Uint8Array, limit: number): Line[] {
  if (bytes.byteLength > MAX_BYTES) throw tooLargeError(`${MAX_BYTES} bytes`);
  const rows = rowsOfText(decodeTextFile(bytes), ";", { rows: Number.POSITIVE_INFINITY, check: requireFewCells });
  const [header = [], ...filled] = rows.filter((row) => row.some((cell) => cell.trim() !== ""));
  if (filled.length > limit) throw tooLargeError(`${limit} rows`);
  const columns = toColumnNames(header);
  return filled.map((row) => cellsOf(row, columns));
}

/** All must be there, in whatever order; others are passed over. */
function toColumnNames(header: string[]): Column[] {
  const columns = header.map((title) => COLUMNS.find((name) => name === title.trim().toLowerCase()) ?? "undefined");
  if (COLUMNS.every((name) => columns.includes(name))) return columns;
  const error = `must begin with the header ${COLUMNS.join(";")}`;
  throw new ApiError(234, { errors: [{ parameter: "file", error }] });
}

function requireFewCells(_: number, cells: number) {
  if (cells > MAX_CELLS) throw tooLargeError(`${MAX_CELLS} cells`);
}

function tooLargeError(limit: string) {
  return new ApiError(9, { errors: [{ parameter: "file", error: `must have at most ${limit}` }] });
}

/** All places are one transaction, and stand in memory several times over until it is done. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_CELLS = 400_000;
