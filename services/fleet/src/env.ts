import type { ServiceEnv } from "#shared/operation.ts";
import type { AuditLog, MailRoom, PushDesk } from "../../../gateway/src/index.ts";
import type FilesService from "../../files/src/index.ts";
import type GeoService from "../../geo/src/index.ts";
import type ReportsService from "../../reports/src/index.ts";
import type TasksService from "../../tasks/src/index.ts";

export type FleetEnv = ServiceEnv & {
  GEO: Service<GeoService>;
  REPORTS: Service<ReportsService>;
  TASKS: Service<TasksService>;
  FILES: Service<FilesService>;
  AUDIT: Service<AuditLog>;
  MAIL: Service<MailRoom>;
  PUSH: Service<PushDesk>;
  /** For how long changes and events are collected before the gateway hears of them, and until an import begins. */
  AUDIT_DELAY_SECONDS: string;
  /** Key of stored passwords of retranslators, 32 bytes in hexadecimal digits. */
  ENCRYPTION_KEY: string;
  /** How many rows a batch conversion reads. */
  BATCH_ROWS: string;
  /** How many imports an account has under way. */
  OPEN_IMPORTS: string;
  /** JSON: thing to ISO 8601 duration. */
  MAX_SPANS: string;
};
