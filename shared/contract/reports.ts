import type { Language } from "../text/language.ts";
import type { TableDocument, TableFormat } from "./table-document.ts";

/** Where tables become files. */
export interface TableRenderer {
  /** The file of a table that another service has the rows of. */
  render(document: TableDocument, format: TableFormat, language: Language): Promise<Uint8Array>;
}

/** The content of a file, as a browser is to read it. */
export type ReferenceFile = { type: string; body: ReadableStream };

/** Where the page of the API reference and its files are. */
export interface ReferenceFiles {
  /** The file at this path; null where there is none. */
  referenceFile(path: string): Promise<ReferenceFile | null>;
}
