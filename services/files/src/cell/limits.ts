import { tooLargeFileError } from "#shared/error/too-large-file.ts";

/** Throws 9 for more columns than a sheet of an .xls can have. */
export function requireColumnLimit(columns: number) {
  if (columns > MAX_COLUMNS) throw tooLargeFileError(`${MAX_COLUMNS} columns`);
}

/** Throws 9 for more cells than an isolate can hold as texts. */
export function requireCellLimit(cells: number) {
  if (cells > MAX_CELLS) throw tooLargeFileError(`${MAX_CELLS} cells`);
}

const MAX_COLUMNS = 256;
const MAX_CELLS = 400_000;
