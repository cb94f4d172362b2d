import type { FileStore, SheetStore } from "#shared/contract/files.ts";
import type { EventStore, TariffTerms, TaskLinks } from "#shared/contract/fleet.ts";
import type { AccountLimits, AuditLog } from "#shared/contract/gateway.ts";
import type { DeviceReadings } from "#shared/contract/geo.ts";
import type { Surroundings } from "#shared/contract/point/area.ts";
import type { Geocoder } from "#shared/contract/point/geocoder.ts";
import type { WorkWatch } from "#shared/contract/point/visit.ts";
import type { TableRenderer } from "#shared/contract/reports.ts";
import type { SyncedCalls, SyncedPlaces } from "#shared/contract/sync.ts";
import type { ServiceEnv } from "#shared/operation/declaration.ts";

export type TasksEnv = ServiceEnv & {
  FLEET: TaskLinks & Pick<TariffTerms, "allowedMaps"> & EventStore & SyncedCalls;
  FILES: FileStore & Pick<SheetStore, "readSheet">;
  GEO: Geocoder & WorkWatch & Pick<DeviceReadings, "lastGpsPoint"> & SyncedPlaces & Surroundings;
  REPORTS: TableRenderer;
  AUDIT: AuditLog;
  LIMITS: AccountLimits;
  /** Keys that sign records, P-256 in base64url: the first one signs, all of them verify. */
  RECORD_KEY: string;
  /** Seconds for which changes are collected before they are delivered to the audit log. */
  AUDIT_DELAY_SECONDS: string;
  /** Maximal number of rows that a batch conversion reads. */
  BATCH_ROWS: string;
  /** JSON: the longest time range of a call, by kind of list, as ISO 8601 periods. */
  MAX_SPANS: string;
};
