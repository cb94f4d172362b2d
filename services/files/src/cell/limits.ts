import { ApiError } from "#shared/error/api-error.ts";

/** The error 9 for a sheet above a limit; `limit` goes into the answer, as in "256 columns". */
export function tooLargeError(limit: string): ApiError {
  return new ApiError(9, { errors: [{ parameter: "file", error: `must have at most ${limit}` }] });
}

/** Throws 9 for more columns than a sheet of an .xls can have. */
export function requireColumnLimit(columns: number) {
  if (columns > MAX_COLUMNS) throw tooLargeError(`${MAX_COLUMNS} columns`);
}

/** Throws 9 for more cells than an isolate can hold as texts. */
export function requireCellLimit(cells: number) {
  if (cells > MAX_CELLS) throw tooLargeError(`${MAX_CELLS} cells`);
}

const MAX_COLUMNS = 256;
const MAX_CELLS = 400_000;
