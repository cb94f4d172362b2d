import { secretBindings } from "../system/bindings.ts";
import type { Secrets } from "../system/secrets.ts";
import { WORKERS, type WorkerName } from "../workers.ts";
import { declaredBindings, sizeOf, tagOf } from "./content.ts";
import type { Preflight } from "./preflight.ts";
import { INSTALLATION_BINDING } from "./state.ts";

/** The steps of a deployment, one line for each thing that it would change or compare. */
export function describePlan(preflight: Preflight, env: Record<string, string | undefined>): string[] {
  const { state, inspection } = preflight;
  const isGatewayRead = inspection.databases.some(({ worker, unreachable }) => worker === "gateway" && !unreachable);
  return [
    `installation: ${inspection.installation ?? (isGatewayRead ? "new" : "not checked")}`,
    ...inspection.databases.map(({ label, worker, pending, unreachable }) => {
      const migrations = pending.length > 0 ? `apply ${pending.join(", ")}` : "up to date";
      return `database of ${worker} (${label}): ${unreachable ? "not checked" : migrations}`;
    }),
    ...(state?.missingBuckets ?? []).map((name) => `bucket ${name}: create`),
    ...(state?.missingQueues ?? []).map((name) => `queue ${name}: create`),
    ...WORKERS.flatMap((worker) => describeWorker(worker, preflight, env)),
  ];
}

function describeWorker(worker: WorkerName, preflight: Preflight, env: Record<string, string | undefined>): string[] {
  const { configs, state } = preflight;
  const config = configs[worker];
  const declared = declaredBindings(config);
  const things = [...declared]
    .filter(([, leadsTo]) => leadsTo !== "setting")
    .map(([name, leadsTo]) => `${name} (${leadsTo})`);
  const settings = Object.keys(config.vars).length;
  return [
    `Worker ${config.name}: ${sizeOf(worker)} KB compressed; ${state ? differences(worker, preflight, env) : "not compared with the deployed version"}`,
    `  bindings: ${things.join(", ") || "none"}, and ${settings} settings`,
  ];
}

function differences(worker: WorkerName, preflight: Preflight, env: Record<string, string | undefined>): string {
  const { configs, state, inspection, variables } = preflight;
  const config = configs[worker];
  const deployed = state?.workers[worker];
  const secrets = uploadedSecrets(worker, preflight, env);
  if (!deployed) return `new, with the secrets ${Object.keys(secrets).join(", ") || "that are still missing"}`;
  const key = variables.keys.CREDENTIAL_KEY;
  if (
    key &&
    deployed.tag === tagOf(worker, config, { ...secrets, [INSTALLATION_BINDING]: inspection.installation ?? "" }, key)
  )
    return "unchanged";
  const declared = declaredBindings(config);
  const present = new Map(deployed.bindings.map((binding) => [binding.name, binding]));
  const expected = new Set([...declared.keys(), ...Object.keys(secrets), INSTALLATION_BINDING]);
  const isComparable = (name: string) => COMPARED_TYPES.includes(present.get(name)?.type ?? "");
  const parts = [
    list(
      "new bindings",
      [...declared.keys()].filter((name) => !present.has(name)),
    ),
    list(
      "missing secrets",
      Object.keys(secrets).filter((name) => !present.has(name)),
    ),
    list(
      "removed bindings",
      [...present.keys()].filter((name) => !expected.has(name) && isComparable(name)),
    ),
    list(
      "changed settings",
      Object.entries(config.vars)
        .filter(([name, value]) => present.has(name) && present.get(name)?.text !== value)
        .map(([name]) => name),
    ),
  ].filter(Boolean);
  return `changed (${parts.join("; ") || "code, static files or values of secrets"})`;
}

/** Types of bindings that `declaredBindings` knows. Secrets stay until they are deleted with wrangler. */
const COMPARED_TYPES = [
  "plain_text",
  "service",
  "r2_bucket",
  "queue",
  "durable_object_namespace",
  "ratelimit",
  "assets",
];

function list(title: string, names: string[]) {
  return names.length > 0 ? `${title}: ${names.join(", ")}` : "";
}

/** The secrets of a Worker as far as the variables are known; a database that is new in geo's list has no start yet. */
function uploadedSecrets(
  worker: WorkerName,
  { variables, inspection }: Preflight,
  env: Record<string, string | undefined>,
) {
  const server = variables.servers[worker];
  if (!server) return {};
  const stored = inspection.databases.find((database) => database.worker === worker)?.starts ?? [];
  const starts = (server.further ?? []).map((_, index) => stored[index] ?? 0);
  return setSecrets(secretBindings(worker, { ...server, starts }, variables.keys as Secrets, env));
}

/** Those secrets that have a value: an empty one would replace nothing. */
export function setSecrets(secrets: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).filter((entry): entry is [string, string] => Boolean(entry[1])));
}
