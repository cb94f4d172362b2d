import type { TrackerDirectory } from "#shared/contract/fleet.ts";
import type { MailQueue, ReaderDirectory } from "#shared/contract/gateway.ts";
import type { ReportRecords, ReportSource, ReportWork } from "#shared/contract/report-source.ts";
import type { Named } from "#shared/contract/service.ts";
import type { ServiceEnv } from "#shared/operation/declaration.ts";
import type { DocumentLeases } from "./document-lease/lease.ts";

export type ReportsEnv = ServiceEnv & {
  /** The files of the API reference, and fonts. */
  ASSETS: Fetcher;
  DOCUMENT_LEASES: Named<DocumentLeases>;
  FLEET: TrackerDirectory;
  GEO: ReportSource;
  RECORDS: ReportRecords;
  TASKS: ReportWork;
  USERS: ReaderDirectory;
  MAIL: MailQueue;
  /** Sheets of reports. */
  BUCKET: R2Bucket;
  /** Reports to be made. */
  JOBS: Queue<ReportJob>;
  /** JSON: thing to ISO 8601 duration. */
  MAX_SPANS: string;
  /** How many reports of a user are made at a time, and how many are kept. */
  PARALLEL_REPORTS: string;
  KEPT_REPORTS: string;
  /** How many schedules a user may have. */
  REPORT_SCHEDULES: string;
  /** How long the address in a mail leads to the report. */
  MAILED_HOURS: string;
  /** JSON: for each format the cells and characters of the longest document. */
  DOCUMENT_LIMITS: string;
  /** Of a map, for the places in a PDF: `{lat}` and `{lng}` stand for one of them. */
  MAP_URL: string;
  /** How many bytes the sheets of a report may have that becomes an XLSX or a CSV. */
  STREAMED_BYTES: string;
};

export type ReportJob = { report_id: number };
