import type { Language } from "../text/language.ts";
import type { TableDocument, TableFormat } from "./table-document.ts";

/** Where tables become files. */
export interface TableRenderer {
  /** The file of a table that another service has the rows of. */
  render(document: TableDocument, format: TableFormat, language: Language): Promise<Uint8Array>;
}
