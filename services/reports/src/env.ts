import type { TrackerDirectory } from "#shared/contract/fleet.ts";
import type { ReportSource } from "#shared/contract/report-source.ts";
import type { Named } from "#shared/contract/service.ts";
import type { ServiceEnv } from "#shared/operation/declaration.ts";
import type { Turns } from "./turn/turn.ts";

export type ReportsEnv = ServiceEnv & {
  /** The files of the API reference. */
  REFERENCE: Fetcher;
  TURNS: Named<Turns>;
  FLEET: TrackerDirectory;
  GEO: ReportSource;
  /** Sheets of reports. */
  BUCKET: R2Bucket;
  /** Reports to be made. */
  JOBS: Queue<ReportJob>;
  /** JSON: thing to ISO 8601 duration. */
  MAX_SPANS: string;
  /** How many reports of a user are made at a time, and how many are kept. */
  PARALLEL_REPORTS: string;
  KEPT_REPORTS: string;
  /** JSON: for each format the cells and characters of the longest document. */
  DOCUMENT_LIMITS: string;
};

export type ReportJob = { report_id: number };
