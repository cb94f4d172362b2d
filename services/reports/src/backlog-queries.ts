import { sql } from "drizzle-orm";
import type { Queues } from "#shared/database/backlog.ts";
import { auditOutbox } from "./table/audit-outbox.ts";
import { report } from "./table/report.ts";

/** Tables whose waiting rows the health check of the reports Worker counts. */
export const QUEUES: Queues = {
  audit: { table: auditOutbox },
  reports: { table: report, waits: sql`${report.state} = 'waiting'` },
  removed_reports: { table: report, waits: sql`${report.state} = 'removed'` },
};
