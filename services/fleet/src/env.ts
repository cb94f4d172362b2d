import type { AvatarStore } from "#shared/contract/file/avatar.ts";
import type { FileStore, SheetStore } from "#shared/contract/files.ts";
import type { AuditLog, MailQueue, PushQueue } from "#shared/contract/gateway.ts";
import type {
  DeviceReadings,
  DeviceRegister,
  Forwarding,
  Meters,
  PlaceTags,
  RuleCauses,
  TrackerRecords,
} from "#shared/contract/geo.ts";
import type { Geocoder } from "#shared/contract/point/geocoder.ts";
import type { AccountRecords } from "#shared/contract/removal.ts";
import type { TableRenderer } from "#shared/contract/reports.ts";
import type { TaskTags, TrackerWork } from "#shared/contract/tasks.ts";
import type { ServiceEnv } from "#shared/operation/declaration.ts";

export type FleetEnv = ServiceEnv & {
  GEO: DeviceRegister & DeviceReadings & Meters & Forwarding & RuleCauses & PlaceTags & TrackerRecords & Geocoder;
  REPORTS: TableRenderer & AccountRecords;
  TASKS: TaskTags & TrackerWork & AccountRecords;
  FILES: SheetStore & FileStore & AvatarStore & AccountRecords;
  AUDIT: AuditLog;
  MAIL: MailQueue;
  PUSH: PushQueue;
  /**
   * How long audit records and events are collected before they are delivered to the gateway, and how long an import
   * waits before it begins.
   */
  AUDIT_DELAY_SECONDS: string;
  /** Keys that seal stored passwords of retranslators; the format of the list is described in `key-list.ts`. */
  ENCRYPTION_KEY: string;
  /** How many rows of a sheet a batch conversion or an import reads at most. */
  BATCH_ROWS: string;
  /** How many imports of an account may be open at the same time. */
  OPEN_IMPORTS: string;
  /** JSON: the longest time range of a call by kind of data, as ISO 8601 durations. */
  MAX_SPANS: string;
  /** Events are deleted after so many days; 0: never. */
  EVENT_DAYS: string;
  /** Data of a removed tracker are deleted after so many days; 0: when its account is removed. */
  REMOVED_TRACKER_DAYS: string;
  /** `1`: receivers of retranslators may be in private networks. */
  ALLOW_PRIVATE_TARGETS?: string;
};
