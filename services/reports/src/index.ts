import { awaitAll } from "#shared/background/await-all.ts";
import type { FileFormat, TableDocument } from "#shared/contract/file/table-document.ts";
import type { AccountRecords } from "#shared/contract/removal.ts";
import type { Rendered, TableRenderer } from "#shared/contract/reports.ts";
import type { ApiService } from "#shared/contract/service.ts";
import { deleteOldKeys } from "#shared/database/idempotency/queries.ts";
import { openDatabase } from "#shared/database/open.ts";
import { serviceOf } from "#shared/operation/service.ts";
import type { Language } from "#shared/text/language.ts";
import { nowMs } from "#shared/time/clock.ts";
import { QUEUES } from "./backlog-queries.ts";
import { describe } from "./description.ts";
import { checkSize } from "./document/limits.ts";
import { renderTable } from "./document/render.ts";
import type { ReportJob } from "./env.ts";
import { operations } from "./operations.ts";
import { deliverAudit, deliverAuditLater } from "./outbox/deliver-audit.ts";
import { readFont } from "./pdf/fonts.ts";
import { removeAccountReports } from "./report/queries.ts";
import { runReport } from "./report/run.ts";
import { queueUnleased, sweepReports } from "./report/sweep.ts";
import { mailReports, sweepDue } from "./schedule/sweep.ts";

/** The RPC entrypoint. No public route leads here; the interfaces say what each method promises. */
export default class ReportsService
  extends serviceOf(operations, describe, QUEUES, { worker: "reports", afterChange: deliverAuditLater })
  implements ApiService, TableRenderer, AccountRecords
{
  async render(document: TableDocument, format: FileFormat, language: Language): Promise<Rendered> {
    const refusal = format === "csv" ? undefined : checkSize(document, format, this.env.DOCUMENT_LIMITS);
    if (refusal) return refusal;
    const read = (name: string) => readFont(name, this.env.FONTS);
    return { file: await renderTable(document, format, { language, read }) };
  }

  removeAccounts(account_ids: number[]): Promise<void> {
    return removeAccountReports(openDatabase(this.env), account_ids);
  }

  override async queue(batch: MessageBatch<ReportJob>) {
    for (const { body } of batch.messages) await this.#goOn(body.report_id);
  }

  override async scheduled() {
    // Reports that schedules have just made are queued in the same sweep.
    await awaitAll([
      sweepDue(this.env).finally(() => Promise.all([queueUnleased(this.env), deliverAudit(this.env)])),
      mailReports(this.env),
      deleteOldKeys(openDatabase(this.env), nowMs(this.env)),
      sweepReports(this.env),
    ]);
  }

  /**
   * Continues a report. After a failure the sweep queues it again once its lease has ended, so that other reports come
   * first.
   */
  async #goOn(report_id: number) {
    const isLeft = await runReport(report_id, this.env).catch((thrown) => {
      console.error(JSON.stringify({ report: report_id, error: String(thrown) }));
      return false;
    });
    if (isLeft) await this.env.JOBS.send({ report_id });
    else deliverAuditLater(this.env);
  }
}
