import type { AvatarStore } from "#shared/contract/avatar.ts";
import type { SheetStore } from "#shared/contract/files.ts";
import type {
  EventStore,
  Gauges,
  PlaceLinks,
  StorageTerms,
  TariffTerms,
  TrackerDirectory,
} from "#shared/contract/fleet.ts";
import type { AuditLog } from "#shared/contract/gateway.ts";
import type { SocketHub } from "#shared/contract/live.ts";
import type { Named } from "#shared/contract/service.ts";
import type { VisitedWork } from "#shared/contract/visit.ts";
import type { ServiceEnv } from "#shared/operation/declaration.ts";
import type { RuleDirectory } from "./object/account-rules.ts";
import type { Feed } from "./object/feed.ts";
import type { GeocoderServer } from "./object/geocoder-server.ts";
import type { SharedJournal } from "./object/shared-journal.ts";
import type { SocketRelay } from "./object/socket-relay.ts";
import type { StatusBoard } from "./object/status-board.ts";

export type GeoEnv = ServiceEnv & {
  /** Further databases for points, by their place in the list: `DB_URL_2`, `DB_TOKEN_2`, … */
  [further: `DB_URL_${number}` | `DB_TOKEN_${number}`]: string | undefined;
  /** From which tracker on there is each of them: see `tracker-database/place.ts`. */
  DB_STARTS?: string;
  FLEET: TrackerDirectory & StorageTerms & Gauges & TariffTerms & PlaceLinks & EventStore;
  FILES: AvatarStore & Pick<SheetStore, "readSheet">;
  TASKS: VisitedWork;
  AUDIT: AuditLog;
  /** Points of long ago. */
  ARCHIVE: R2Bucket;
  /** How old points are when they move to the archive; 0: they never do. */
  ARCHIVE_DAYS: string;
  /** For how long changes are collected before the audit log hears of them. */
  AUDIT_DELAY_SECONDS: string;
  FEEDS: Named<Feed>;
  /** Of small requests of many trackers, by blocks of them. */
  JOURNALS: Named<SharedJournal>;
  BOARDS: Named<StatusBoard>;
  GEOCODERS: Named<GeocoderServer>;
  /** Of a server that answers as Nominatim does; empty: the gazetteer answers alone. */
  GEOCODER_URL?: string;
  /** Who hears of changed states, for sockets. */
  RELAYS: Named<SocketRelay>;
  SOCKETS: SocketHub;
  RULES: Named<RuleDirectory>;
  /** How late a point may come for rules still to follow it. */
  RULE_LATE_HOURS: string;
  /** How late a point may come for visits of tasks still to follow it. */
  VISIT_LATE_HOURS: string;
  /** For how long points that are out of their storage period are kept all the same, where nobody sees them. */
  RETENTION_GRACE_DAYS: string;
  /** Keys of stored passwords of retranslators: a list as `key-list.ts` says. */
  ENCRYPTION_KEY: string;
  /** For how long points wait for a receiver that does not take them. */
  RETRY_HOURS: string;
  /** Until a receiver that failed once is tried again; from then on twice as long each time. */
  RETRANSLATION_PAUSE_SECONDS: string;
  /** How long a receiver may take to answer. */
  RETRANSLATION_WAIT_SECONDS: string;
  /** How far ahead of the clock a point may be. */
  FUTURE_HOURS: string;
  /** How far ahead of the clock a point may be that the state follows at once. */
  AHEAD_SECONDS: string;
  /** A longer silence ends a trip. */
  TRIP_GAP_MINUTES: string;
  /** Lone points closer together make one cluster. */
  CLUSTER_METERS: string;
  /** How many rows a batch conversion reads, and an upload of places has at the most. */
  BATCH_ROWS: string;
  /** JSON: thing to ISO 8601 duration. */
  MAX_SPANS: string;
  /** `1`: retranslators may be in private networks. */
  ALLOW_PRIVATE_TARGETS?: string;
};
