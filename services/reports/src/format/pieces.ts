import type { FileFormat } from "#shared/contract/file/table-document.ts";
import type { Document } from "../layout/document.ts";
import type { FontReader } from "../pdf/fonts.ts";

/** `headers` lists the headers of all parts, for the contents before them. */
type RenderOptions = { read: FontReader; headers: string[] };
type Pieces = AsyncGenerator<Uint8Array>;

/** Streams the file; formats that are laid out as a whole are finished before this answers. */
export function renderPieces(document: Document, format: FileFormat, ways: RenderOptions): Promise<Pieces> {
  return FORMATS[format](document, ways);
}

// Imported on demand: most calls render no file.
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
