import type { FileStreams } from "#shared/contract/files.ts";
import type {
  DeviceStock,
  TariffStore,
  TariffTerms,
  TrackerCensus,
  TrackerDirectory,
  TrackerOwners,
  TrackerPanel,
} from "#shared/contract/fleet.ts";
import type { ConnectionTimes, Ingest, UserRecords } from "#shared/contract/geo.ts";
import type { LiveStates } from "#shared/contract/live.ts";
import type { AccountRecords } from "#shared/contract/removal.ts";
import type { ReferenceFiles } from "#shared/contract/reports.ts";
import type { ApiService, Named } from "#shared/contract/service.ts";
import type { AccountDays } from "#shared/contract/tasks.ts";
import type { ServiceEnv } from "#shared/operation/declaration.ts";
import type { Guard } from "./credential/guard/guard.ts";
import type { PasswordEnv } from "./credential/password/hash.ts";
import type { LiveSocket } from "./live/live-socket.ts";
import type { FailureCounter } from "./login/attempts/failure-counter.ts";

export type GatewayEnv = ServiceEnv &
  PasswordEnv & {
    FLEET: ApiService &
      TariffTerms &
      TariffStore &
      TrackerPanel &
      TrackerOwners &
      DeviceStock &
      TrackerDirectory &
      TrackerCensus;
    TASKS: ApiService & AccountRecords & AccountDays;
    GEO: ApiService & Ingest & ConnectionTimes & UserRecords & LiveStates & AccountDays;
    FILES: ApiService & FileStreams;
    REPORTS: ApiService & ReferenceFiles;
    GUARDS: Named<Guard>;
    SOCKETS: Named<LiveSocket>;
    SOCKETS_PER_CREDENTIAL: string;
    /** How many trackers one socket may be told of. */
    SOCKET_TRACKERS: string;
    SOCKET_SUBSCRIPTIONS: string;
    SOCKET_MESSAGE_BYTES: string;
    SOCKET_HEARTBEAT_SECONDS: string;
    LOGIN_ATTEMPTS: Named<FailureCounter>;
    ADDRESS_LIMIT: RateLimit;
    VISITOR_LIMIT: RateLimit;
    ACCOUNT_LIMIT: RateLimit;
    ACCOUNT_RATE_PER_SECOND: string;
    /** Key of the credentials' stored form and checksum, 32 bytes in hexadecimal digits. */
    CREDENTIAL_KEY: string;
    /** Keys of stored API keys and second factors: a list as `key-list.ts` says. */
    ENCRYPTION_KEY: string;
    /** Web push: the private scalar of a P-256 pair, in base64url. */
    VAPID_PRIVATE_KEY: string;
    /** Mobile notifications: the JSON of a service account; without it, none are sent. */
    FCM_SERVICE_ACCOUNT?: string;
    /** Where they are handed over. */
    FCM_URL: string;
    /** Whom push services may turn to: `mailto:` or `https:`. */
    VAPID_SUBJECT: string;
    RATE_LIMIT_PER_SECOND: string;
    SESSIONS_PER_USER: string;
    /** What passwords must be: `standard` or `strict`. */
    PASSWORD_POLICY: string;
    LOGIN_FAILURES: string;
    LOGIN_FAILURES_TOTAL: string;
    ADDRESS_FAILURES: string;
    MAIL_REQUESTS: string;
    /** JSON. */
    DEFAULT_LIMITS: string;
    /** JSON: the longest spans that calls take, for clients to know. */
    MAX_SPANS: string;
    /** `https://host`: what mailed links, upload tickets and addresses of files begin with. */
    PUBLIC_URL?: string;
    /** `1`: notifications may be sent into private networks. */
    ALLOW_PRIVATE_TARGETS?: string;
    /** Where mail is posted; without it, mail is kept. */
    MAIL_URL?: string;
    /** Of whoever may read the metrics; without it nobody does. */
    METRICS_KEY?: string;
    /** Where a data point of each call is written, where the operator has bound a dataset. */
    CALLS?: AnalyticsEngineDataset;
    /** How long entries of the audit log are kept; 0: for ever. */
    AUDIT_DAYS: string;
    /** For how long mail and notifications that cannot be sent are tried again. */
    RETRY_HOURS: string;
  };
