import type { Content, TableCell } from "pdfmake/js/index.js";
import type { Language } from "#shared/text/language.ts";
import { MARGIN, newPdf } from "../document/pdf.ts";
import type { Section, Sheet } from "../layout/sheet.ts";
import { type Line, type LineCell, linesOf } from "./lines.ts";
import type { ReportFile } from "./report-file.ts";

/** Landscape pages of A4: a title page with the contents, then each sheet on pages of its own. */
export function writePages({ head, title, sheets }: ReportFile, language: Language): Promise<Uint8Array> {
  const contents = { toc: { title: { text: language === "de" ? "Inhalt" : "Contents", bold: true, fontSize: 11 } } };
  const front: Content[] = head
    ? [
        { text: head.title, bold: true, fontSize: 18, margin: [0, 120, 0, 4] },
        { text: head.subtitle, margin: [0, 0, 0, 24] },
        ...(sheets.length > 0 ? [contents] : []),
      ]
    : [];
  return newPdf(title, [...front, ...sheets.flatMap((sheet, index) => pagesOf(sheet, head !== null || index > 0))]);
}

function pagesOf({ header, sections }: Sheet, breaks: boolean): Content[] {
  const page = breaks ? { pageBreak: "before" as const } : {};
  return [{ text: header, bold: true, fontSize: 14, tocItem: true, ...page }, ...sections.flatMap(contentOf)];
}

/** Each run of lines that are as wide becomes a table. */
function contentOf(section: Section): Content[] {
  const content: Content[] = [];
  let body: Line[] = [];
  const end = () => {
    if (body.length > 0) content.push(tableOf(body));
    body = [];
  };
  for (const line of linesOf(section)) {
    if (line.kind !== "heading") {
      body.push(line);
      continue;
    }
    end();
    content.push({ text: line.cells[0]?.text ?? "", bold: true, fontSize: 10, margin: [0, 6, 0, 2] });
  }
  end();
  return content;
}

function tableOf(lines: Line[]): Content {
  const [first] = lines;
  const widths = (first?.cells ?? []).map(({ column }) =>
    column?.align === "left" ? ("*" as const) : ("auto" as const),
  );
  const body = lines.map(({ kind, cells }) => cells.map((cell) => toCell(cell, kind !== "values")));
  const headerRows = first?.kind === "titles" ? 1 : 0;
  return {
    table: { headerRows, dontBreakRows: true, widths, body },
    layout: "lightHorizontalLines",
    margin: [0, 0, 0, MARGIN / 3],
  };
}

function toCell({ text, column }: LineCell, bold: boolean): TableCell {
  return column?.align === "right" ? { text, bold, alignment: "right" } : { text, bold };
}
