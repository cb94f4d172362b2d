import type { TrackerDirectory } from "#shared/contract/fleet.ts";
import type { AuditLog, FontFiles, MailQueue, ReaderDirectory } from "#shared/contract/gateway.ts";
import type { ReportRecords, ReportSource, ReportWork } from "#shared/contract/report-source.ts";
import type { TurnsOfAccounts } from "#shared/contract/turns.ts";
import type { ServiceEnv } from "#shared/operation/declaration.ts";

export type ReportsEnv = ServiceEnv & {
  FLEET: TrackerDirectory;
  GEO: ReportSource;
  RECORDS: ReportRecords;
  TASKS: ReportWork;
  TURNS: TurnsOfAccounts;
  USERS: ReaderDirectory;
  MAIL: MailQueue;
  FONTS: FontFiles;
  AUDIT: AuditLog;
  /** Sheets of reports. */
  BUCKET: R2Bucket;
  /** Reports to be made. */
  JOBS: Queue<ReportJob>;
  /** Seconds for which changes are collected before they are delivered to the audit log. */
  AUDIT_DELAY_SECONDS: string;
  /** JSON: the longest time range of a report as an ISO 8601 duration. */
  MAX_SPANS: string;
  /** Limits per user: reports made at once, and reports that are stored. */
  PARALLEL_REPORTS: string;
  KEPT_REPORTS: string;
  /** Limits the schedules of a user. */
  REPORT_SCHEDULES: string;
  /** Hours for which the link in a mail leads to the report. */
  MAILED_HOURS: string;
  /** JSON: the most cells and characters of a document, by format. */
  DOCUMENT_LIMITS: string;
  /** Address of a map for positions in a PDF, with `{lat}` and `{lng}`. */
  MAP_URL: string;
  /** The most bytes of sheets in a report that is downloaded as XLSX or CSV. */
  STREAMED_BYTES: string;
};

export type ReportJob = { report_id: number };
