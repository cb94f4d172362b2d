import type { FileFormat } from "#shared/contract/table-document.ts";
import type { Document } from "../layout/document.ts";
import type { FontReader } from "../pdf/fonts.ts";

/** `headers` are those of all parts, for contents that stand before them. */
type Ways = { read: FontReader; headers: string[] };
type Pieces = AsyncGenerator<Uint8Array>;

/** The file as it is made; what is laid out as a whole is made before this answers. */
export function piecesOf(document: Document, format: FileFormat, ways: Ways): Promise<Pieces> {
  return FORMATS[format](document, ways);
}

// Imported when they are needed: most calls are for no file.
const FORMATS: Record<FileFormat, (document: Document, ways: Ways) => Promise<Pieces>> = {
  async pdf(document, ways) {
    const { pagesOf } = await import("../pdf/pages.ts");
    return pagesOf(document, ways);
  },
  async xls(document) {
    const { writeBook } = await import("../file/book.ts");
    return only(await writeBook(document));
  },
  async xlsx(document) {
    const { workbookOf } = await import("../file/workbook/of-document.ts");
    return workbookOf(document);
  },
  async csv({ parts }) {
    const { csvOf } = await import("../file/csv.ts");
    return csvOf(parts);
  },
};

async function* only(bytes: Uint8Array): Pieces {
  yield bytes;
}
