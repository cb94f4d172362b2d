import type { Language } from "#shared/language.ts";
import { serviceOf } from "#shared/service.ts";
import type { TableDocument, TableFormat } from "#shared/table-document.ts";
import { renderTable } from "./document/render.ts";
import { operations } from "./operations.ts";

/** All that other Workers may ask. No public route leads here. */
export default class ReportsService extends serviceOf(operations) {
  /** The file of a table that another service has the rows of. */
  render(document: TableDocument, format: TableFormat, language: Language): Promise<Uint8Array> {
    return renderTable(document, format, language);
  }
}
