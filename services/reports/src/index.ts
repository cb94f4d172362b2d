import type { TableRenderer } from "#shared/contract/reports.ts";
import type { ApiService } from "#shared/contract/service.ts";
import type { TableDocument, TableFormat } from "#shared/contract/table-document.ts";
import { serviceOf } from "#shared/operation/service.ts";
import type { Language } from "#shared/text/language.ts";
import { renderTable } from "./document/render.ts";
import { operations } from "./operations.ts";

/** No public route leads here. What each method promises, its interface says. */
export default class ReportsService extends serviceOf(operations) implements ApiService, TableRenderer {
  render(document: TableDocument, format: TableFormat, language: Language): Promise<Uint8Array> {
    return renderTable(document, format, language);
  }
}
