import { Buffer } from "node:buffer";
import medium from "pdfmake/fonts/Roboto/Roboto-Medium.ttf";
import regular from "pdfmake/fonts/Roboto/Roboto-Regular.ttf";
import pdfmake, { type Content, type TableCell } from "pdfmake/js/index.js";
import {
  type Cell,
  type Column,
  type Group,
  MOST_PICTURES,
  type Picture,
  type TableDocument,
} from "#shared/contract/table-document.ts";
import type { Language } from "#shared/text/language.ts";

/** Landscape pages of A4, the columns' titles on each, the page's number below. */
export async function writePdf(document: TableDocument, language: Language): Promise<Uint8Array> {
  const { title, subtitle, groups, pictures = [] } = document;
  return newPdf(title, [
    { text: title, bold: true, fontSize: 14 },
    { text: subtitle, margin: [0, 2, 0, 8] },
    ...groups.flatMap((group) => partOf(group, document, new Intl.NumberFormat(language, NUMBERS))),
    ...linesOf(pictures.slice(0, MOST_PICTURES)),
  ]);
}

/** The content in our font, with the pages' numbers. */
export function newPdf(title: string, content: Content[]): Promise<Uint8Array> {
  const pdf = pdfmake.createPdf({
    info: { title },
    pageOrientation: "landscape",
    pageMargins: MARGIN,
    defaultStyle: { font: "Roboto", fontSize: 8 },
    footer: (page, pages) => ({ text: `${page} / ${pages}`, alignment: "right", margin: [MARGIN, 0] }),
    content,
  });
  return pdf.getBuffer();
}

/** Three beside each other, each with its caption. */
function linesOf(pictures: Picture[]): Content[] {
  const cells = pictures.map(
    ({ caption, jpeg }): Content => ({
      stack: [
        { text: caption, margin: [0, 0, 0, 2] },
        { image: `data:image/jpeg;base64,${Buffer.from(jpeg).toString("base64")}`, fit: [PICTURE, PICTURE] },
      ],
    }),
  );
  const lines = Array.from({ length: Math.ceil(cells.length / 3) }, (_, line) => cells.slice(3 * line, 3 * line + 3));
  return lines.map((columns) => ({ columns, columnGap: 8, unbreakable: true, margin: [0, 0, 0, 8] }));
}

function partOf({ heading, rows, total }: Group, { columns }: TableDocument, numbers: Intl.NumberFormat): Content[] {
  const write = (row: Cell[], bold = false) =>
    row.map((cell, index): TableCell => ({ ...styleOf(columns[index]), text: textOf(cell, numbers), bold }));
  // Unlike values, titles may be broken: they make no column wider than what stands in it.
  const titles = columns.map(
    (column): TableCell => ({ ...styleOf(column), text: column.title, noWrap: false, bold: true }),
  );
  const body = [titles, ...rows.map((row) => write(row)), ...(total ? [write(total, true)] : [])];
  const widths = columns.map(({ kind }) => (kind === "text" ? "*" : "auto"));
  const table: Content = {
    table: { headerRows: 1, dontBreakRows: true, widths, body },
    layout: "lightHorizontalLines",
    margin: [0, 0, 0, 12],
  };
  return heading === null ? [table] : [{ text: heading, bold: true, fontSize: 11, margin: [0, 4] }, table];
}

function styleOf(column: Column | undefined) {
  return column?.kind === "number"
    ? { alignment: "right" as const, noWrap: true }
    : { noWrap: column?.kind === "short" };
}

function textOf(cell: Cell, numbers: Intl.NumberFormat) {
  return typeof cell === "number" ? numbers.format(cell) : (cell ?? "");
}

export const MARGIN = 30;
/** Points. */
const PICTURE = 250;
const NUMBERS = { maximumFractionDigits: 2 };

// Kept by the library for all documents. It reads nothing else, wherever a document might point.
pdfmake.virtualfs.writeFileSync("regular.ttf", Buffer.from(regular));
pdfmake.virtualfs.writeFileSync("medium.ttf", Buffer.from(medium));
pdfmake.setFonts({ Roboto: { normal: "regular.ttf", bold: "medium.ttf" } });
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy(() => false);
