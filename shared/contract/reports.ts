import type { Offence } from "../error/api-error.ts";
import type { Language } from "../text/language.ts";
import type { FileFormat, TableDocument } from "./file/table-document.ts";

/** Rendering of tables as files. */
export interface TableRenderer {
  /**
   * Renders a table that another service has queried. 267 when it would take over two seconds; CSV is never refused and
   * has no pictures.
   */
  render(document: TableDocument, format: FileFormat, language: Language): Promise<Rendered>;
}

/** The file, or the code of the refusal: an error that crosses RPC would lose its members. */
export type Rendered = { file: Uint8Array } | TooLong;
export type TooLong = { refused: 267; errors: Offence[] };
