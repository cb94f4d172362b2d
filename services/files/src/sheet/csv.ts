import { decodeTextFile } from "#shared/table-text/decode.ts";
import { rowsOfText, separatorOf } from "#shared/table-text/separated.ts";
import { requireCellLimit, requireColumnLimit } from "../cell/limits.ts";

/** The first `limit` rows of a text with separators. */
export function parseCsv(bytes: Uint8Array, limit: number): string[][] {
  const text = decodeTextFile(bytes);
  return rowsOfText(text, separatorOf(text, SEPARATORS), { rows: limit, check: requireLimits });
}

function requireLimits(columns: number, cells: number) {
  requireColumnLimit(columns);
  requireCellLimit(cells);
}

/** By precedence: if two separators give as many columns, the one that is rarer in texts wins. */
const SEPARATORS = ["\t", ";", ","];
