import type { WorkerName } from "../workers.ts";
import type { Secrets } from "./secrets.ts";
import type { DatabaseServer } from "./sqld.ts";

type Environment = Record<string, string | undefined>;

/** Keys that each Worker needs; it gets no others. */
export const KEYS_OF: Record<WorkerName, (keyof Secrets)[]> = {
  gateway: ["CREDENTIAL_KEY", "ENCRYPTION_KEY", "VAPID_PRIVATE_KEY"],
  fleet: ["ENCRYPTION_KEY"],
  tasks: ["RECORD_KEY"],
  geo: ["CREDENTIAL_KEY", "ENCRYPTION_KEY"],
  files: ["TOKEN_KEY"],
  reports: [],
};

/** Further environment variables passed on to a Worker when they are set. */
export const SETTINGS_OF: Partial<Record<WorkerName, string[]>> = {
  gateway: ["MAIL_URL", "FCM_SERVICE_ACCOUNT", "PUBLIC_URL", "ALLOW_PRIVATE_TARGETS", "METRICS_KEY", "MAP_STYLES"],
  fleet: ["ALLOW_PRIVATE_TARGETS"],
  geo: ["GEOCODER_URL", "ALLOW_PRIVATE_TARGETS"],
};

/** Secrets of a deployed Worker; a local one gets them as bindings. */
export function secretBindings(
  worker: WorkerName,
  server: DatabaseServer,
  secrets: Secrets,
  environment: Environment,
): Record<string, string> {
  const keys = KEYS_OF[worker].map((name) => [name, secrets[name]]);
  const settings = (SETTINGS_OF[worker] ?? []).map((name) => [name, settingOf(name, environment)]);
  return { ...databaseBindings(server), ...Object.fromEntries([...keys, ...settings]) };
}

function databaseBindings({ url, token, further = [], starts = [] }: DatabaseServer): Record<string, string> {
  if (starts.length !== further.length) throw new Error("It is not settled which trackers further databases are for.");
  const others = further.flatMap((one, index) => [
    [`DB_URL_${index + 2}`, one.url],
    [`DB_TOKEN_${index + 2}`, one.token],
  ]);
  const list = further.length > 0 ? { DB_STARTS: starts.join() } : {};
  return { DB_URL: url, DB_TOKEN: token, ...Object.fromEntries(others), ...list };
}

/** The address without a trailing slash. */
function settingOf(name: string, environment: Environment): string {
  const value = environment[name] ?? "";
  return name === "PUBLIC_URL" && value ? new URL(value).origin : value;
}

/** Bindings of local Workers only; a deployed Worker refuses most of them. */
export function localBindings(worker: WorkerName, environment: Environment): Record<string, string> {
  const offset = environment.CLOCK_OFFSET_SECONDS || "0";
  const local = { LOCAL_RUN: "1", CLOCK_OFFSET_SECONDS: offset };
  if (worker !== "gateway") return local;
  const { PASSWORD_COST = "", DOOR_KEY = "", DEMO_LOGIN = "" } = environment;
  return { ...local, PASSWORD_COST, DOOR_KEY, DEMO_LOGIN };
}

/**
 * The [vars] of a wrangler.toml that have other values on a local installation: those that the environment sets. A database
 * server of its own is written to by one request at a time, and keeps more streams, because no other isolate uses it.
 */
export function localVars(vars: object, server: DatabaseServer, environment: Environment): Record<string, string> {
  const pairs = Object.keys(vars).map((name) => [name, environment[name]] as const);
  const values = Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
  return server.isOwn ? { DB_WRITERS: "1", DB_STREAMS: "16", ...values } : values;
}
