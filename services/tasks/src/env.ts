import type { FileStore, SheetStore } from "#shared/contract/files.ts";
import type { EventStore, TaskLinks } from "#shared/contract/fleet.ts";
import type { AccountLimits, AuditLog } from "#shared/contract/gateway.ts";
import type { Geocoder } from "#shared/contract/geocoder.ts";
import type { TableRenderer } from "#shared/contract/reports.ts";
import type { ServiceEnv } from "#shared/operation/declaration.ts";

export type TasksEnv = ServiceEnv & {
  FLEET: TaskLinks & EventStore;
  FILES: FileStore & Pick<SheetStore, "readSheet">;
  GEO: Geocoder;
  REPORTS: TableRenderer;
  AUDIT: AuditLog;
  LIMITS: AccountLimits;
  /** For how long changes are collected before the audit log hears of them. */
  AUDIT_DELAY_SECONDS: string;
  /** How many rows a batch conversion reads. */
  BATCH_ROWS: string;
  /** JSON: the longest range that may be asked for. */
  MAX_SPANS: string;
};
