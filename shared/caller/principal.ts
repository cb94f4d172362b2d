/** Rights of security groups. `admin` is reserved for the master. */
export const RIGHTS = [
  "admin",
  "tracker_update",
  "tracker_configure",
  "tracker_set_output",
  "tracker_register",
  "tracker_rule_update",
  "tag_update",
  "task_update",
  "zone_update",
  "place_update",
  "form_template_update",
  "completed_form_update",
  "places_custom_fields_update",
  "employee_update",
  "vehicle_update",
  "checkin_update",
  "reports",
  "payment_create",
  "weblocator_session_create",
  "delivery_session_create",
  "video_monitoring",
  "webhook_update",
] as const;
export type Right = (typeof RIGHTS)[number];

/**
 * `none`: missing or malformed hash; `ended`: unknown or expired; `delegated`: a session made by an operator or master.
 */
export const CREDENTIALS = [
  "none",
  "ended",
  "session",
  "delegated",
  "api_key",
  "activation",
  "restore",
  "second_factor",
  "delivery",
  "operator",
] as const;
export type Credential = (typeof CREDENTIALS)[number];

/** All trackers of the account, or the ids that a sub-user sees. */
export type Scope = "all" | number[];

/** Things with a limit per account. */
export const LIMITED = [
  "vehicles",
  "employees",
  "departments",
  "tasks",
  "schedules",
  "service_tasks",
  "form_templates",
  /** Also limits the number of forms of check-ins. */
  "checkins",
  "security_groups",
  "garages",
  "rules",
  /** Per day. */
  "mails",
  "zones",
  "places",
  "retranslators",
  "tags",
  "subusers",
  "file_bytes",
] as const;
export type Limited = (typeof LIMITED)[number];
export type Limits = Record<Limited, number>;
// `fromEntries` loses the literal names; all of them are present.
export const NO_LIMITS = Object.fromEntries(LIMITED.map((thing) => [thing, 0])) as Limits;

/** The caller, as plain data: the gateway makes it from a credential, and every service trusts it. */
export type Principal = {
  credential: Credential;
  /** Keyed hash under which the credential is stored; empty without a credential. */
  key: string;
  /** Id of the master, which owns all objects of the account. */
  account_id: number;
  user_id: number;
  kind: "nobody" | "master" | "subuser" | "operator";
  rights: Right[];
  scope: Scope;
  /** Sub-users of a master; empty for other callers. */
  sub_user_ids: number[];
  /** Storage period of a sub-user's group such as `30d`; null: only the tariff limits it. */
  store_period: string | null;
  dealer_id: number;
  default_tariff_id: number | null;
  limits: Limits;
  /** Whether new files may replace old ones that no thing refers to when the quota is used up. */
  auto_overwrite: boolean;
  time_zone: string;
  /** Time zone of the master. */
  account_time_zone: string;
  locale: string;
  measurement_system: string;
  /** The user's format of dates and hours; absent: that of the language. */
  date_format?: string | null;
  hour_mode?: string | null;
  demo: boolean;
  /** Permissions of an operator by category; empty for users. */
  permissions: Record<string, string[]>;
  /** UTC milliseconds. */
  expires_at: number;
  /** Callers with an API key: its title, and whether agents that have the key may change something. */
  api_key?: { title: string; agent_writes: boolean };
};

/** The members of a principal without an account. */
export const WITHOUT_ACCOUNT = {
  account_id: 0,
  rights: [],
  scope: [],
  sub_user_ids: [],
  store_period: null,
  default_tariff_id: null,
  limits: NO_LIMITS,
  auto_overwrite: false,
  time_zone: "UTC",
  account_time_zone: "UTC",
  locale: "en_US",
  measurement_system: "metric",
  demo: false,
} satisfies Partial<Principal>;

/** The principal of a call without a valid credential. */
export function nobody(credential: "none" | "ended"): Principal {
  const unknown = { key: "", user_id: 0, dealer_id: 0, permissions: {}, expires_at: 0 };
  return { ...WITHOUT_ACCOUNT, ...unknown, credential, kind: "nobody" };
}
