import type { Document, DocumentPart } from "../../layout/document.ts";
import { MAX_COLUMN_WIDTH, measureSheet, toSheetRows } from "../rows.ts";
import { toSheetName } from "../sheet-name.ts";
import type { SheetCell } from "./cells.ts";
import { streamBook, type WorkRow, type WorkSheet } from "./stream.ts";

/** A workbook with a title sheet and a sheet for each part; only one part is in memory at a time. */
export function streamWorkbook(document: Document): AsyncGenerator<Uint8Array> {
  const { head, title, parts } = document;
  const sheetNames = new Set<string>();
  const headers: string[] = [];
  const titleName = head && toSheetName(title, sheetNames);

  async function* all(): AsyncGenerator<WorkSheet> {
    for await (const part of parts) {
      headers.push(part.header);
      yield { name: toSheetName(part.header, sheetNames), ...measureSheet(part), rows: toWorkRows(part, document) };
    }
  }

  function front(): WorkSheet[] {
    const text = (value: string, bold = false): WorkRow => ({ cells: [{ kind: "text", text: value, bold }] });
    const plain = { frozen: 0, widths: [MAX_COLUMN_WIDTH] };
    if (head && titleName !== null) {
      const names = headers.map((header) => text(header));
      return [
        { name: titleName, rows: [text(head.title, true), text(head.subtitle), { cells: [] }, ...names], ...plain },
      ];
    }
    // A workbook needs at least one sheet.
    return headers.length > 0 ? [] : [{ name: toSheetName(title, sheetNames), rows: [text(title)], ...plain }];
  }
  return streamBook(title, all(), front);
}

function* toWorkRows(part: DocumentPart, { cellValue, mapAddress }: Document): Generator<WorkRow> {
  for (const { cells, isBold, jpeg } of toSheetRows(part)) {
    const shown = cells.map((cell): SheetCell | null => {
      const { text, location } = cell;
      if (location && text !== "") return { kind: "link", text, address: mapAddress(location), bold: isBold };
      const value = cellValue(cell);
      return value && { ...value, bold: isBold };
    });
    yield { cells: shown, ...(jpeg && { jpeg }) };
  }
}
