import type { Line, LineCell, MapAddress } from "../layout/lines.ts";
import { A4_LANDSCAPE, BOTTOM, type Paper, RIGHT } from "./paper.ts";
import type { SetLine, Type, Typesetter } from "./typesetter.ts";

/** Lines that can be read several times without keeping them in memory. */
export type Lines = () => Iterable<Line>;

/**
 * Prints lines of cells and headings. The titles of the columns are repeated after each heading and on each new page.
 * Yields finished pages.
 */
export async function* printLines(lines: Lines, paper: Paper, mapAddress: MapAddress): AsyncGenerator<Uint8Array> {
  await paper.setter.prepare(textsOf(lines()));
  const columns = await columnsOf(lines, paper.setter);
  let titles: Row | undefined;
  let isDue = false;
  for (const line of lines()) {
    if (line.kind === "heading") {
      isDue = titles !== undefined;
      yield* printHeading(line, paper);
      continue;
    }
    const set = await newRow(line, columns.get(line.cells.length) ?? [], paper.setter);
    if (set.isTitles) {
      titles = set;
      isDue = true;
      continue;
    }
    if (titles && isDue) yield* printRow(titles, undefined, paper, mapAddress);
    isDue = false;
    yield* printRow(set, titles, paper, mapAddress);
  }
  if (titles && isDue) yield* printRow(titles, undefined, paper, mapAddress);
  paper.y += LINE;
}

/** Prints a row on one page unless it is longer than a page; on a new page, `titles` are repeated above it. */
function* printRow(row: Row, titles: Row | undefined, paper: Paper, mapAddress: MapAddress): Generator<Uint8Array> {
  // Titles need at least one row below them.
  const below = row.isTitles ? 1 : 0;
  let isFresh = false;
  for (let from = 0; from < row.height; ) {
    const linesLeft = Math.floor((BOTTOM - paper.y) / LINE);
    const left = row.height - from;
    if (left + below > linesLeft && !isFresh && (row.height <= MAX_LINES_PER_PAGE || linesLeft < 1)) {
      yield* nextPage(paper);
      if (titles && titles.height <= MAX_REPEATED_LINES)
        drawRow(titles, { from: 0, count: titles.height }, paper, mapAddress);
      isFresh = true;
      continue;
    }
    const count = Math.min(linesLeft, left);
    drawRow(row, { from, count }, paper, mapAddress);
    from += count;
    isFresh = false;
  }
}

/** Begins a new page, and yields what was written before. */
export function* nextPage(paper: Paper): Generator<Uint8Array> {
  paper.newPage();
  yield* paper.takeWritten();
}

type Column = { left: number; width: number };
type SetCell = { lines: SetLine[]; column: Column; isRight: boolean; cell: LineCell };
/** The height is in lines. */
type Row = { cells: SetCell[]; height: number; type: Type; hasRule: boolean; isTitles: boolean };

function* textsOf(lines: Iterable<Line>): Generator<string> {
  for (const { cells } of lines) for (const { text } of cells) yield text;
}

async function* printHeading({ cells: [cell] }: Line, paper: Paper): AsyncGenerator<Uint8Array> {
  const lines = await paper.setter.setLines(cell?.text ?? "", RIGHT - A4_LANDSCAPE.margin, HEADING);
  // A heading stays together with the titles and one row.
  if (paper.y + lines.length * HEADING_LINE + 4 * LINE > BOTTOM) yield* nextPage(paper);
  paper.y += GAP;
  for (const line of lines) {
    paper.draw(line, { x: A4_LANDSCAPE.margin, y: paper.y }, HEADING);
    paper.y += HEADING_LINE;
  }
}

/** The columns for lines with each number of cells, as wide as their texts where the page allows it. */
async function columnsOf(lines: Lines, setter: Typesetter): Promise<Map<number, Column[]>> {
  const measured = new Map<number, { widths: number[]; isText: boolean[] }>();
  for (const { cells, kind } of sample(lines)) {
    if (kind === "heading") continue;
    const known = measured.get(cells.length) ?? { widths: [], isText: [] };
    measured.set(cells.length, known);
    for (const [index, { text, column }] of cells.entries()) {
      const needed = widestOf(text, kind !== "values", setter);
      known.widths[index] = Math.max(known.widths[index] ?? 0, needed + CELL_GAP);
      known.isText[index] = column?.align !== "right";
      const pause = setter.spend();
      if (pause) await pause;
    }
  }
  return new Map([...measured].map(([count, { widths, isText }]) => [count, layOutColumns(widths, isText)]));
}

/** All lines, or an even sample of many; longer texts in the others are broken. */
function* sample(lines: Lines): Generator<Line> {
  let count = 0;
  for (const _ of lines()) count++;
  const step = Math.ceil(count / MAX_MEASURED_LINES);
  let index = 0;
  for (const line of lines()) if (index++ % step === 0) yield line;
}

function widestOf(text: string, bold: boolean, setter: Typesetter) {
  const widths = text.split("\n").map((part) => setter.lineOf(part, bold).width);
  return (Math.max(...widths) * TEXT.size) / 1000;
}

/**
 * Fits the columns to the page: if they are too wide, the widest are cut to the same width; spare width goes to text
 * columns, except in tables of two columns.
 */
function layOutColumns(wished: number[], isText: boolean[]): Column[] {
  const available = RIGHT - A4_LANDSCAPE.margin;
  const most = findMaxWidth(wished, available);
  const widths = wished.map((width) => Math.min(width, most));
  const texts = isText.filter(Boolean).length;
  const spare =
    texts > 0 && wished.length > 2 ? (available - widths.reduce((sum, width) => sum + width, 0)) / texts : 0;
  let left = A4_LANDSCAPE.margin;
  return widths.map((width, index) => {
    const column = { left, width: width + (isText[index] ? spare : 0) };
    left += column.width;
    return column;
  });
}

/** The greatest width such that all columns, cut to it, fit into `available`. */
function findMaxWidth(widths: number[], available: number): number {
  let left = available;
  const sorted = widths.toSorted((one, other) => one - other);
  for (const [index, width] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (width > share) return share;
    left -= width;
  }
  return Number.POSITIVE_INFINITY;
}

async function newRow({ kind, cells }: Line, columns: Column[], setter: Typesetter): Promise<Row> {
  const type = { ...TEXT, bold: kind !== "values" };
  const set: SetCell[] = [];
  for (const [index, cell] of cells.entries()) {
    const column = columns[index] ?? { left: A4_LANDSCAPE.margin, width: RIGHT - A4_LANDSCAPE.margin };
    const lines = cell.text === "" ? [] : await setter.setLines(cell.text, column.width - CELL_GAP, type);
    set.push({ lines, column, isRight: cell.column?.align === "right", cell });
  }
  const height = Math.max(1, ...set.map(({ lines }) => lines.length));
  return { cells: set, height, type, hasRule: cells.length > 1, isTitles: kind === "titles" };
}

function drawRow(
  { cells, type, hasRule }: Row,
  part: { from: number; count: number },
  paper: Paper,
  mapAddress: MapAddress,
) {
  for (const { lines, column, isRight, cell } of cells) {
    for (const [index, line] of lines.slice(part.from, part.from + part.count).entries()) {
      const width = (line.width * type.size) / 1000;
      const x = isRight ? column.left + column.width - CELL_GAP - width : column.left;
      const y = paper.y + index * LINE + 1;
      paper.draw(line, { x, y }, type);
      if (cell.location) paper.link({ x, y, width, height: LINE }, mapAddress(cell.location));
    }
  }
  paper.y += part.count * LINE + ROW_GAP;
  const last = cells.at(-1)?.column;
  if (hasRule && last)
    paper.rule(A4_LANDSCAPE.margin, last.left + last.width, paper.y - ROW_GAP / 2, type.bold ? 0.4 : 0.85);
}

const TEXT: Type = { size: 8, bold: false };
const HEADING: Type = { size: 10, bold: true };
/** Sizes are in points. */
const LINE = 11;
const ROW_GAP = 3;
const CELL_GAP = 8;
const GAP = 6;
const HEADING_LINE = 14;
/** Longer titles are not repeated on new pages. */
const MAX_REPEATED_LINES = 8;
const MAX_LINES_PER_PAGE = Math.floor((BOTTOM - A4_LANDSCAPE.margin) / LINE) - 4;
/** Limits the lines that columns are measured by. */
const MAX_MEASURED_LINES = 400;
