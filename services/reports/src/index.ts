import type { ReferenceFile, ReferenceFiles, Rendered, TableRenderer } from "#shared/contract/reports.ts";
import type { ApiService } from "#shared/contract/service.ts";
import type { TableDocument, TableFormat } from "#shared/contract/table-document.ts";
import { serviceOf } from "#shared/operation/service.ts";
import type { Language } from "#shared/text/language.ts";
import { describe } from "./description.ts";
import { tooLong } from "./document/limits.ts";
import { renderTable } from "./document/render.ts";
import { operations } from "./operations.ts";
import { inTurn } from "./turn/turn.ts";

export { DocumentTurns } from "./turn/document-turns.ts";

/** No public route leads here. What each method promises, its interface says. */
export default class ReportsService
  extends serviceOf(operations, describe)
  implements ApiService, TableRenderer, ReferenceFiles
{
  async render(
    document: TableDocument,
    format: TableFormat,
    language: Language,
    account_id: number,
  ): Promise<Rendered> {
    const refusal = tooLong(document, format, this.env.DOCUMENT_LIMITS);
    if (refusal) return refusal;
    const file = await inTurn(this.env.TURNS, account_id, () => renderTable(document, format, language));
    return file ? { file } : { refused: 15 };
  }

  async referenceFile(path: string): Promise<ReferenceFile | null> {
    const { ok, headers, body } = await this.env.REFERENCE.fetch(new URL(path, "https://reference"));
    if (!ok || !body) return null;
    return { type: headers.get("Content-Type") ?? "application/octet-stream", body };
  }
}
