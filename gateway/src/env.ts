import type { FileStreams } from "#shared/contract/files.ts";
import type {
  DeviceStock,
  TariffStore,
  TariffTerms,
  TaskLinks,
  TrackerDirectory,
  TrackerList,
  TrackerOwners,
  TrackerPanel,
  TrackerTags,
} from "#shared/contract/fleet.ts";
import type { ConnectionTimes, Ingest, UserRecords } from "#shared/contract/geo.ts";
import type { LiveStates } from "#shared/contract/live.ts";
import type { AccountRecords } from "#shared/contract/removal.ts";
import type { ApiService, Named } from "#shared/contract/service.ts";
import type { AccountDays } from "#shared/contract/tasks.ts";
import type { TargetEnv } from "#shared/network/target-network.ts";
import type { ServiceEnv } from "#shared/operation/declaration.ts";
import type { Turns } from "#shared/operation/run-in-turn.ts";
import type { Guard } from "./credential/guard/guard.ts";
import type { PasswordEnv } from "./credential/password/hash.ts";
import type { AccountStream } from "./event/account-stream.ts";
import type { LiveSocket } from "./live/live-socket.ts";
import type { OpenSockets } from "./live/open-sockets.ts";
import type { FailureCounter } from "./login/attempts/failure-counter.ts";
import type { Sender } from "./webhook/delivery/sender.ts";

export type GatewayEnv = ServiceEnv &
  TargetEnv &
  PasswordEnv & {
    FLEET: ApiService &
      TariffTerms &
      TariffStore &
      TrackerPanel &
      TrackerOwners &
      DeviceStock &
      TrackerDirectory &
      TrackerList &
      TrackerTags &
      Pick<TaskLinks, "staffedTrackers">;
    TASKS: ApiService & AccountRecords & AccountDays;
    GEO: ApiService & Ingest & ConnectionTimes & UserRecords & LiveStates & AccountDays;
    FILES: ApiService & FileStreams;
    REPORTS: ApiService;
    /** Static files: the console, the API reference and fonts. */
    ASSETS: Fetcher;
    GUARDS: Named<Guard>;
    ACCOUNT_TURNS: Named<Turns>;
    WEBHOOK_SENDERS: Named<Sender>;
    ACCOUNT_EVENTS: Named<AccountStream>;
    SOCKETS: Named<LiveSocket>;
    OPEN_SOCKETS: Named<OpenSockets>;
    SOCKETS_PER_CREDENTIAL: string;
    /** The most trackers that one socket may subscribe to. */
    SOCKET_TRACKERS: string;
    SOCKET_SUBSCRIPTIONS: string;
    SOCKET_MESSAGE_BYTES: string;
    SOCKET_HEARTBEAT_SECONDS: string;
    LOGIN_ATTEMPTS: Named<FailureCounter>;
    ADDRESS_LIMIT: RateLimit;
    VISITOR_LIMIT: RateLimit;
    LOG_IN_LIMIT: RateLimit;
    ACCOUNT_LIMIT: RateLimit;
    ACCOUNT_RATE_PER_SECOND: string;
    /** The key of keyed hashes and checksums of credentials: 32 bytes in hexadecimal digits. */
    CREDENTIAL_KEY: string;
    /** Keys that encrypt stored API keys and TOTP secrets: a list in the form of `key-list.ts`. */
    ENCRYPTION_KEY: string;
    /** Web push: the private scalar of a P-256 pair, in base64url. */
    VAPID_PRIVATE_KEY: string;
    /** Mobile notifications: the JSON of a service account; without it, none are sent. */
    FCM_SERVICE_ACCOUNT?: string;
    /** The URL of FCM, which delivers mobile notifications. */
    FCM_URL: string;
    /** The contact for push services: a `mailto:` or `https:` URL. */
    VAPID_SUBJECT: string;
    RATE_LIMIT_PER_SECOND: string;
    SESSIONS_PER_USER: string;
    /** The rules for passwords: `standard` or `strict`. */
    PASSWORD_POLICY: string;
    LOGIN_FAILURES: string;
    LOGIN_FAILURES_TOTAL: string;
    ADDRESS_FAILURES: string;
    MAIL_REQUESTS: string;
    /** The limits of accounts without their own, as JSON. */
    DEFAULT_LIMITS: string;
    /** The longest time ranges that operations accept, as JSON. */
    MAX_SPANS: string;
    /** `https://host`, the beginning of links in mails and of URLs of uploads and files. */
    PUBLIC_URL?: string;
    /** `1`: notifications may be sent into private networks. */
    ALLOW_PRIVATE_TARGETS?: string;
    /** The URL of the mail service; without it mail is stored but not sent. */
    MAIL_URL?: string;
    /** Map styles that the console offers, a JSON list of `{name, url}`. */
    MAP_STYLES?: string;
    /** The demo account's login and password as JSON, on a local system that has one. */
    DEMO_LOGIN?: string;
    /** The key that the door of a local system shows: without it a request did not come through the door. */
    DOOR_KEY?: string;
    /** The key for reading metrics; without it nobody can read them. */
    METRICS_KEY?: string;
    /** A dataset that gets a data point per call, if the operator has bound one. */
    CALLS?: AnalyticsEngineDataset;
    /** How many days entries of the audit log are kept; 0: for ever. */
    AUDIT_DAYS: string;
    /** For how many hours failed mail and notifications are retried. */
    RETRY_HOURS: string;
  };
