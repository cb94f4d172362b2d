/** What a sub-user's security group may hold; `admin` is the master's alone. */
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
] as const;
export type Right = (typeof RIGHTS)[number];

/** `none`: no hash or a malformed one; `ended`: unknown, expired or made up; `delegated`: made by operator or master. */
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

/** All of the account's trackers, or the ids of those that a sub-user sees. */
export type Scope = "all" | number[];

/** What an account may own only so much of. */
export const LIMITED = [
  "vehicles",
  "employees",
  "departments",
  "tasks",
  "schedules",
  "service_tasks",
  "form_templates",
  /** And as many forms of check-ins. */
  "checkins",
  "security_groups",
  "garages",
  "rules",
  /** In a day. */
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
// `fromEntries` forgets the names, of which none is missing.
export const NO_LIMITS = Object.fromEntries(LIMITED.map((thing) => [thing, 0])) as Limits;

/** Who calls: plain data, made by the gateway from a credential and trusted by every service. */
export type Principal = {
  credential: Credential;
  /** The keyed hash under which the credential is stored; empty for nobody. */
  key: string;
  /** The master's id: the owner of every object of the account. */
  account_id: number;
  user_id: number;
  kind: "nobody" | "master" | "subuser" | "operator";
  rights: Right[];
  scope: Scope;
  /** A master's sub-users; of anybody else none. */
  sub_user_ids: number[];
  /** How far back a sub-user may look, as in `30d`; null: as far as the tariff goes. */
  store_period: string | null;
  dealer_id: number;
  default_tariff_id: number | null;
  limits: Limits;
  /** Whether new files of the account may take the room of old ones that nothing names. */
  auto_overwrite: boolean;
  time_zone: string;
  /** The master's. */
  account_time_zone: string;
  locale: string;
  measurement_system: string;
  /** How the user wants dates and hours written; without, as the language has them. */
  date_format?: string | null;
  hour_mode?: string | null;
  demo: boolean;
  /** Permissions of an operator by category; empty for users. */
  permissions: Record<string, string[]>;
  /** UTC milliseconds. */
  expires_at: number;
};

/** The caller without a valid credential. */
export function nobody(credential: "none" | "ended"): Principal {
  return {
    credential,
    key: "",
    account_id: 0,
    user_id: 0,
    kind: "nobody",
    rights: [],
    scope: [],
    sub_user_ids: [],
    store_period: null,
    dealer_id: 0,
    default_tariff_id: null,
    limits: NO_LIMITS,
    auto_overwrite: false,
    time_zone: "UTC",
    account_time_zone: "UTC",
    locale: "en_US",
    measurement_system: "metric",
    demo: false,
    permissions: {},
    expires_at: 0,
  };
}
