import type { Offence } from "../error/api-error.ts";
import type { Language } from "../text/language.ts";
import type { FileFormat, TableDocument } from "./table-document.ts";

/** Where tables become files. */
export interface TableRenderer {
  /**
   * The file of a table that another service has the rows of. It refuses with 267 what would take longer than two seconds, and
   * with 15 what is asked for while another document of the account is being made; a CSV takes no time, and is the table alone.
   */
  render(document: TableDocument, format: FileFormat, language: Language, account_id: number): Promise<Rendered>;
}

/** The file, or the code of the refusal with what is wrong: what is thrown loses its members on the way. */
export type Rendered = { file: Uint8Array } | { refused: 15 } | TooLong;
export type TooLong = { refused: 267; errors: Offence[] };

/** The content of a file, as a browser is to read it. */
export type ReferenceFile = { type: string; body: ReadableStream };

/** Where the page of the API reference and its files are. */
export interface ReferenceFiles {
  /** The file at this path; null where there is none. */
  referenceFile(path: string): Promise<ReferenceFile | null>;
}
