import type { FileFormat } from "#shared/contract/table-document.ts";
import type { Document } from "../layout/document.ts";
import type { FontReader } from "../pdf/fonts.ts";

/** `headers` are those of all parts, for contents that stand before them. */
type RenderOptions = { read: FontReader; headers: string[] };
type Pieces = AsyncGenerator<Uint8Array>;

/** The file as it is made; what is laid out as a whole is made before this answers. */
export function renderPieces(document: Document, format: FileFormat, ways: RenderOptions): Promise<Pieces> {
  return FORMATS[format](document, ways);
}

// Imported when they are needed: most calls are for no file.
const FORMATS: Record<FileFormat, (document: Document, ways: RenderOptions) => Promise<Pieces>> = {
  async pdf(document, ways) {
    const { streamPages } = await import("../pdf/pages.ts");
    return streamPages(document, ways);
  },
  async xls(document) {
    const { writeXls } = await import("../file/xls.ts");
    return yieldOnce(await writeXls(document));
  },
  async xlsx(document) {
    const { streamWorkbook } = await import("../file/workbook/stream-workbook.ts");
    return streamWorkbook(document);
  },
  async csv({ parts }) {
    const { streamCsv } = await import("../file/csv.ts");
    return streamCsv(parts);
  },
};

async function* yieldOnce(bytes: Uint8Array): Pieces {
  yield bytes;
}
