import { ApiError } from "#shared/error/api-error.ts";

/** A file that holds more than is read; the answer says more of what. */
export function tooLarge(limit: string): ApiError {
  return new ApiError(9, { errors: [{ parameter: "file", error: `must have at most ${limit}` }] });
}

/** Throws for a row that is wider than any sheet of an .xls. */
export function requireNarrow(columns: number) {
  if (columns > MOST_COLUMNS) throw tooLarge(`${MOST_COLUMNS} columns`);
}

/** Throws where all rows together are more than an isolate holds as texts. */
export function requireFewCells(cells: number) {
  if (cells > MOST_CELLS) throw tooLarge(`${MOST_CELLS} cells`);
}

const MOST_COLUMNS = 256;
const MOST_CELLS = 400_000;
