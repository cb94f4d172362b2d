import type { Cell, Column, Picture, TableDocument } from "#shared/contract/table-document.ts";
import { MOST_PICTURES } from "#shared/contract/table-document.ts";
import type { Language } from "#shared/text/language.ts";
import type { Line, LineCell } from "../layout/lines.ts";
import { column as shownColumn } from "../layout/writer.ts";
import type { FontReader } from "../pdf/fonts.ts";
import { type Block, pagesOf } from "../pdf/pages.ts";
import { PAGE } from "../pdf/paper.ts";

/** Landscape pages of A4, the columns' titles on each, the page's number below. */
export function writePdf(document: TableDocument, language: Language, read: FontReader): AsyncGenerator<Uint8Array> {
  const { title, pictures = [] } = document;
  const numbers = new Intl.NumberFormat(language, NUMBERS);
  const blocks = [{ lines: () => linesOf(document, numbers) }, ...picturesOf(pictures.slice(0, MOST_PICTURES))];
  async function* parts() {
    yield { header: title, blocks };
  }
  return pagesOf({ title, language, head: null, parts: parts() }, { read, mapAddress: () => "" });
}

function* linesOf({ subtitle, columns, groups }: TableDocument, numbers: Intl.NumberFormat): Generator<Line> {
  const shown = columns.map(({ title, kind }, index) => shownColumn(`${index}`, title, { isText: kind !== "number" }));
  const cellsOf = (row: Cell[]) =>
    row.map(
      (cell, index): LineCell => ({ text: textOf(cell, numbers), ...(shown[index] && { column: shown[index] }) }),
    );
  yield { kind: "values", cells: [{ text: subtitle }] };
  for (const { heading, rows, total } of groups) {
    if (heading !== null) yield { kind: "heading", cells: [{ text: heading }] };
    yield { kind: "titles", cells: cellsOf(columns.map(titleOf)) };
    for (const row of rows) yield { kind: "values", cells: cellsOf(row) };
    if (total) yield { kind: "total", cells: cellsOf(total) };
  }
}

/** Three beside each other, each with its caption. */
function picturesOf(pictures: Picture[]): Block[] {
  const rows = Array.from({ length: Math.ceil(pictures.length / 3) }, (_, row) => pictures.slice(3 * row, 3 * row + 3));
  return rows.map((row) => ({
    height: PICTURE + 26,
    texts: row.map(({ caption }) => caption),
    draw(paper, top) {
      for (const [index, { caption, jpeg }] of row.entries()) {
        const x = PAGE.margin + index * (PICTURE + 8);
        const [line] = paper.setter.linesOf(caption, PICTURE, CAPTION);
        if (line) paper.draw(line, { x, y: top }, CAPTION);
        paper.image(jpeg, { x, y: top + 14, width: PICTURE, height: PICTURE });
      }
    },
  }));
}

function titleOf({ title }: Column) {
  return title;
}

function textOf(cell: Cell, numbers: Intl.NumberFormat) {
  return typeof cell === "number" ? numbers.format(cell) : (cell ?? "");
}

const CAPTION = { size: 8, bold: false };
/** Points. */
const PICTURE = 250;
const NUMBERS = { maximumFractionDigits: 2 };
