import type { ReferenceFile, ReferenceFiles, TableRenderer } from "#shared/contract/reports.ts";
import type { ApiService } from "#shared/contract/service.ts";
import type { TableDocument, TableFormat } from "#shared/contract/table-document.ts";
import { serviceOf } from "#shared/operation/service.ts";
import type { Language } from "#shared/text/language.ts";
import { describe } from "./description.ts";
import { renderTable } from "./document/render.ts";
import { operations } from "./operations.ts";

/** No public route leads here. What each method promises, its interface says. */
export default class ReportsService
  extends serviceOf(operations, describe)
  implements ApiService, TableRenderer, ReferenceFiles
{
  render(document: TableDocument, format: TableFormat, language: Language): Promise<Uint8Array> {
    return renderTable(document, format, language);
  }

  async referenceFile(path: string): Promise<ReferenceFile | null> {
    const { ok, headers, body } = await this.env.REFERENCE.fetch(new URL(path, "https://reference"));
    if (!ok || !body) return null;
    return { type: headers.get("Content-Type") ?? "application/octet-stream", body };
  }
}
