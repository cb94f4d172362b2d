/** Rows of cells that a separator divides. What is too much of them is refused while it is read. */
export function rowsOfText(text: string, separator: string, most: CellLimit): string[][] {
  const lineEnd = text.includes("\n") ? "\n" : "\r";
  const rows: string[][] = [];
  let row: string[] = [];
  let [nextSeparator, nextLineEnd] = [-1, -1];
  let cells = 0;
  for (let start = 0; rows.length < most.rows; ) {
    // Looked for once each: a text without separators is not searched to its end for every line.
    if (nextSeparator < start) nextSeparator = placeOf(text, separator, start);
    if (nextLineEnd < start) nextLineEnd = placeOf(text, lineEnd, start);
    const { value, end } =
      text[start] === '"'
        ? quotedCell(text, start, separator, lineEnd)
        : plainCell(text, start, Math.min(nextSeparator, nextLineEnd));
    row.push(value);
    cells += 1;
    most.check(row.length, cells);
    start = end + 1;
    if (text[end] === separator) continue;
    rows.push(row);
    row = [];
    // The end of the last line begins none.
    if (start >= text.length) break;
  }
  return rows;
}

/** `check` throws where a row has too many columns, or all rows too many cells. */
export type CellLimit = { rows: number; check(columns: number, cells: number): void };

/**
 * Of the separators the one by which the first rows are most alike, and of those that divide them alike the one that makes
 * the most cells.
 */
export function separatorOf(text: string, separators: string[]): string {
  const head = text.slice(0, LOOKED_AT);
  let best = { separator: ",", unlikeness: Number.POSITIVE_INFINITY, cells: LEAST_CELLS };
  for (const separator of separators) {
    const rows = rowsOfText(head, separator, { rows: LOOKED_AT_ROWS, check: () => undefined });
    const lengths = rows.filter((row) => row.length > 1 || row[0]?.trim() !== "").map((row) => row.length);
    // The last may be cut off.
    if (head.length < text.length && lengths.length > 1 && rows.length < LOOKED_AT_ROWS) lengths.pop();
    const steps = lengths.map((length, index) => Math.abs(length - (lengths[index - 1] ?? length)));
    const [unlikeness, cells] = [mean(steps), mean(lengths)];
    if (unlikeness <= best.unlikeness && cells > best.cells) best = { separator, unlikeness, cells };
  }
  return best.separator;
}

type ReadCell = { value: string; end: number };

function plainCell(text: string, start: number, end: number): ReadCell {
  return { value: text.slice(start, end), end };
}

/** A quote ends a cell where a separator or the end of the line follows; else it is one that nobody doubled. */
function quotedCell(text: string, start: number, separator: string, lineEnd: string): ReadCell {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    if (text[quote + 1] === '"') {
      quote += 1;
      continue;
    }
    let end = quote + 1;
    while (text[end] === " " || (text[end] === "\r" && lineEnd === "\n")) end += 1;
    if (end === text.length || text[end] === separator || text[end] === lineEnd) {
      return { value: text.slice(start + 1, quote).replaceAll('""', '"'), end };
    }
  }
  return { value: text.slice(start + 1).replaceAll('""', '"'), end: text.length };
}

function placeOf(text: string, part: string, from: number) {
  const place = text.indexOf(part, from);
  return place < 0 ? text.length : place;
}

function mean(numbers: number[]) {
  return numbers.reduce((sum, number) => sum + number, 0) / (numbers.length || 1);
}

const LOOKED_AT = 64 * 1024;
const LOOKED_AT_ROWS = 10;
/** A separator that leaves most rows in one piece is none. */
const LEAST_CELLS = 1.99;
