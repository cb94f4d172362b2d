import { ApiError } from "#shared/error/api-error.ts";

/** A file that holds more than is read; the answer says more of what. */
export function tooLargeError(limit: string): ApiError {
  return new ApiError(9, { errors: [{ parameter: "file", error: `must have at most ${limit}` }] });
}

/** Throws for a row that is wider than any sheet of an .xls. */
export function requireColumnLimit(columns: number) {
  if (columns > MAX_COLUMNS) throw tooLargeError(`${MAX_COLUMNS} columns`);
}

/** Throws where all rows together are more than an isolate holds as texts. */
export function requireCellLimit(cells: number) {
  if (cells > MAX_CELLS) throw tooLargeError(`${MAX_CELLS} cells`);
}

const MAX_COLUMNS = 256;
const MAX_CELLS = 400_000;
