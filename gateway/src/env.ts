import type { ServiceEnv } from "#shared/operation.ts";
import type FilesService from "../../services/files/src/index.ts";
import type FleetService from "../../services/fleet/src/index.ts";
import type GeoService from "../../services/geo/src/index.ts";
import type ReportsService from "../../services/reports/src/index.ts";
import type TasksService from "../../services/tasks/src/index.ts";
import type { CredentialGuard } from "./guard/credential-guard.ts";
import type { LoginAttempts } from "./session/login-attempts.ts";

export type GatewayEnv = ServiceEnv & {
  FLEET: Service<FleetService>;
  TASKS: Service<TasksService>;
  GEO: Service<GeoService>;
  FILES: Service<FilesService>;
  REPORTS: Service<ReportsService>;
  GUARDS: DurableObjectNamespace<CredentialGuard>;
  LOGIN_ATTEMPTS: DurableObjectNamespace<LoginAttempts>;
  ADDRESS_LIMIT: RateLimit;
  /** Key of the credentials' stored form and checksum, 32 bytes in hexadecimal digits. */
  CREDENTIAL_KEY: string;
  /** Key of stored API keys, 32 bytes in hexadecimal digits. */
  ENCRYPTION_KEY: string;
  /** Web push: the private scalar of a P-256 pair, in base64url. */
  VAPID_PRIVATE_KEY: string;
  /** Whom push services may turn to: `mailto:` or `https:`. */
  VAPID_SUBJECT: string;
  RATE_LIMIT_PER_SECOND: string;
  SESSIONS_PER_USER: string;
  /** What passwords must be: `standard` or `strict`. */
  PASSWORD_POLICY: string;
  LOGIN_FAILURES: string;
  ADDRESS_FAILURES: string;
  /** JSON. */
  DEFAULT_LIMITS: string;
  /** JSON: the longest spans that calls take, for clients to know. */
  MAX_SPANS: string;
  /** Where mail is posted; without it, mail is kept. */
  MAIL_URL?: string;
  /** For how long mail and notifications that cannot be sent are tried again. */
  RETRY_HOURS: string;
};
