import type { AvatarStore } from "#shared/contract/avatar.ts";
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
import type { Geocoder } from "#shared/contract/geocoder.ts";
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
  /** For how long changes and events are collected before the gateway hears of them, and until an import begins. */
  AUDIT_DELAY_SECONDS: string;
  /** Keys of stored passwords of retranslators: a list as `key-list.ts` says. */
  ENCRYPTION_KEY: string;
  /** How many rows a batch conversion reads. */
  BATCH_ROWS: string;
  /** How many imports an account has under way. */
  OPEN_IMPORTS: string;
  /** JSON: thing to ISO 8601 duration. */
  MAX_SPANS: string;
  /** How long events are kept; 0: for ever. */
  EVENT_DAYS: string;
  /** How long data of a tracker are kept once it is removed; 0: as long as its account. */
  REMOVED_TRACKER_DAYS: string;
  /** `1`: retranslators may be in private networks. */
  ALLOW_PRIVATE_TARGETS?: string;
};
