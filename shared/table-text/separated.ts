/** Splits text into rows of cells. Limits are checked while reading. */
export function rowsOfText(text: string, separator: string, most: CellLimit): string[][] {
  const lineEnd = text.includes("\n") ? "\n" : "\r";
  const rows: string[][] = [];
  let row: string[] = [];
  let [nextSeparator, nextLineEnd] = [-1, -1];
  let cells = 0;
  for (let start = 0; rows.length < most.rows; ) {
    // Searched once per separator: a text without separators is not searched to its end for every line.
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
    // A line break at the end of the text begins no row.
    if (start >= text.length) break;
  }
  return rows;
}

/** `check` throws when a row has too many columns, or all rows have too many cells. */
export type CellLimit = { rows: number; check(columns: number, cells: number): void };

/** The separator that gives the first rows the most equal number of cells; among equals, the most cells. */
export function separatorOf(text: string, separators: string[]): string {
  const head = text.slice(0, SAMPLE_CHARACTERS);
  let best = { separator: ",", unlikeness: Number.POSITIVE_INFINITY, cells: LEAST_CELLS };
  for (const separator of separators) {
    const rows = rowsOfText(head, separator, { rows: SAMPLE_ROWS, check: () => undefined });
    const lengths = rows.filter((row) => row.length > 1 || row[0]?.trim() !== "").map((row) => row.length);
    // The last row may be incomplete.
    if (head.length < text.length && lengths.length > 1 && rows.length < SAMPLE_ROWS) lengths.pop();
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

/** A quote ends the cell when a separator or line end follows; otherwise it is part of the text. */
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

const SAMPLE_CHARACTERS = 64 * 1024;
const SAMPLE_ROWS = 10;
/** A separator that leaves most rows undivided is not one. */
const LEAST_CELLS = 1.99;
