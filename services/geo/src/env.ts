import type { AvatarStore } from "#shared/contract/file/avatar.ts";
import type { SheetStore } from "#shared/contract/files.ts";
import type {
  EventStore,
  PlaceLinks,
  SensorDirectory,
  StorageTerms,
  TariffTerms,
  TrackerDirectory,
} from "#shared/contract/fleet.ts";
import type { AuditLog } from "#shared/contract/gateway.ts";
import type { SocketHub } from "#shared/contract/live.ts";
import type { VisitedWork } from "#shared/contract/point/visit.ts";
import type { Named } from "#shared/contract/service.ts";
import type { TargetEnv } from "#shared/network/target-network.ts";
import type { ServiceEnv } from "#shared/operation/declaration.ts";
import type { RuleDirectory } from "./object/account-rules.ts";
import type { Feed } from "./object/feed.ts";
import type { GeocoderServer } from "./object/geocoder-server.ts";
import type { SharedJournal } from "./object/shared-journal.ts";
import type { SocketRelay } from "./object/socket-relay.ts";
import type { StatusBoard } from "./object/status-board.ts";

export type GeoEnv = ServiceEnv &
  TargetEnv & {
    /** Further databases for points, by their position in the list: `DB_URL_2`, `DB_TOKEN_2`, … */
    [further: `DB_URL_${number}` | `DB_TOKEN_${number}`]: string | undefined;
    /** The first tracker id of each further database: see `tracker-database/place.ts`. */
    DB_STARTS?: string;
    FLEET: TrackerDirectory & StorageTerms & SensorDirectory & TariffTerms & PlaceLinks & EventStore;
    FILES: AvatarStore & Pick<SheetStore, "readSheet">;
    TASKS: VisitedWork;
    AUDIT: AuditLog;
    /** The archive of old points. */
    ARCHIVE: R2Bucket;
    /** Age in days at which points move to the archive; 0: never. */
    ARCHIVE_DAYS: string;
    /** Delay in which changes are collected before they are delivered to the audit log. */
    AUDIT_DELAY_SECONDS: string;
    FEEDS: Named<Feed>;
    /** Shared journals, one for each block of trackers. */
    JOURNALS: Named<SharedJournal>;
    BOARDS: Named<StatusBoard>;
    GEOCODERS: Named<GeocoderServer>;
    /** The URL of a Nominatim server; empty: only the gazetteer is used. */
    GEOCODER_URL?: string;
    /** Relays of changed tracker states to sockets. */
    RELAYS: Named<SocketRelay>;
    SOCKETS: SocketHub;
    RULES: Named<RuleDirectory>;
    /** Rules are evaluated for points that arrive at most this late. */
    RULE_LATE_HOURS: string;
    /** Visits of tasks are computed from points that arrive at most this late. */
    VISIT_LATE_HOURS: string;
    /** Days that points are kept after their storage period, invisible to callers. */
    RETENTION_GRACE_DAYS: string;
    /** Keys that encrypt stored passwords of retranslators: a list in the form of `key-list.ts`. */
    ENCRYPTION_KEY: string;
    /** The key of keyed hashes of ingest keys: 32 bytes in hexadecimal digits. */
    CREDENTIAL_KEY: string;
    /** How long points wait for a receiver that does not accept them. */
    RETRY_HOURS: string;
    /** Delay until a failed receiver is tried again; doubled after each further failure. */
    RETRANSLATION_PAUSE_SECONDS: string;
    /** Timeout of a receiver's answer. */
    RETRANSLATION_WAIT_SECONDS: string;
    /** How far in the future a point's time may be. */
    FUTURE_HOURS: string;
    /** How far in the future a point's time may be to change the tracker's state at once. */
    AHEAD_SECONDS: string;
    /** Minutes without points after which a trip ends. */
    TRIP_GAP_MINUTES: string;
    /** Single reports closer than this form a cluster. */
    CLUSTER_METERS: string;
    /** Maximum number of rows of a batch conversion, and of an upload of places. */
    BATCH_ROWS: string;
    /** JSON: maximum range of each kind of call, as an ISO 8601 duration. */
    MAX_SPANS: string;
    /** `1`: retranslators may be in private networks. */
    ALLOW_PRIVATE_TARGETS?: string;
  };
