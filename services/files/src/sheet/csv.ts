import { decodeTextFile } from "#shared/table-text/decode.ts";
import { rowsOfText, separatorOf } from "#shared/table-text/separated.ts";
import { requireCellLimit, requireColumnLimit } from "../cell/limits.ts";

/** The rows of a text with separators, at most so many. */
export function parseCsv(bytes: Uint8Array, limit: number): string[][] {
  const text = decodeTextFile(bytes);
  return rowsOfText(text, separatorOf(text, SEPARATORS), { rows: limit, check: requireLimits });
}

function requireLimits(columns: number, cells: number) {
  requireColumnLimit(columns);
  requireCellLimit(cells);
}

/** Where two divide the rows into as many, the one that is rarer in texts. */
const SEPARATORS = ["\t", ";", ","];
